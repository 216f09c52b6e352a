import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { issuesClosedBy } from '../../../src/service/observed/closing-keywords.ts'

const repository = { owner: 'octo-org', name: 'octo-repo', serverUrl: 'https://github.com' }
const closedBy = (body: string) => issuesClosedBy({ title: 'Sort the list', body }, repository)

const bodies: [what: string, body: string, issues: number[]][] = [
  // The examples of GitHub's documentation.
  ['a keyword and a number', 'Closes #10', [10]],
  ['the repository by its name', 'Fixes octo-org/octo-repo#100', [100]],
  ['a keyword for each number', 'Resolves #10, resolves #123, resolves octo-org/octo-repo#100', [10, 100, 123]],
  ['another repository', 'Fixes octo-org/octocat#100', []],
  ['all nine keywords', nine().join(' '), [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  ['capitals', 'FIXES #42', [42]],
  ['a colon', 'Fixes: #42', [42]],
  ['a colon without a blank', 'Fixes:#42', [42]],
  ['one keyword for two numbers', 'Fixes: #1, #2', [1]],
  ['“and” between numbers', 'Fixes #1 and #2', [1]],
  ['no blank', 'fixes#42', []],
  ['a dash', 'fixes- #42', []],
  ['a word between', 'Fixes issue #42', []],
  ['a line break between', 'Fixes\n#42', []],
  ['no number sign', 'Fixes 42', []],
  ['no keyword', 'See #42', []],
  ['other forms of the verbs', 'fixing #1 closing #2 resolving #3 fixs #4 fixx #5', []],
  ['a longer word', 'prefix #1, hotfix #2, enclosed #3', []],
  ['a negation, which GitHub does not know', 'This does not fix #42.', [42]],
  ['a number within a word', 'Fixes #42abc', []],
  ['brackets and emphasis', '(fixes #1) **closes #2** _resolves #3_ [fixes #4]', [1, 2, 3, 4]],
  ['a list, a task and a heading', '- Fixes #1\n* [x] closes #2\n3. fix #3\n### Resolves #4\n', [1, 2, 3, 4]],
  ['lines that end as GitHub sends them', 'Text\r\n\r\nFixes #42\r\n', [42]],
  ['the form of autolinks', 'Closes GH-42', [42]],
  ['the web address', 'Fixes https://github.com/octo-org/octo-repo/issues/42', [42]],
  ['the web address in angle brackets', 'Fixes: <https://github.com/Octo-Org/Octo-Repo/issues/42>.', [42]],
  ['the address of a comment', 'Fix https://github.com/octo-org/octo-repo/issues/42#issuecomment-7', [42]],
  ['the address of another repository', 'Fixes https://github.com/octo-org/octocat/issues/42', []],
  ['the address of another server', 'Fixes https://git.example.com/octo-org/octo-repo/issues/42', []],
  ['the address of a pull request', 'Fixes https://github.com/octo-org/octo-repo/pull/42', []],
  ['the comment of a template', '<!-- Write "Fixes #1" here,\n\nor closes #2 -->\nFixes #3', [3]],
  ['text behind a comment', '<!-- issue --> Fixes #3 <!-- closes #4 --> fix #5', [3, 5]],
  ['a comment that is not closed', 'Fixes #1\n<!-- closes #2\n\ncloses #3', [1]],
  ['a comment of Markdown', '[//]: # (Fixes #9999)\n[1]: https://example.com "closes #4"\nFixes #1', [1]],
  ['code spans', '`Fixes #1` ``closes ` #2 fix #3`` fixes #4 `closes\n#5 fix #6`', [4]],
  ['a backtick without another', 'a ` fixes #1\n\nb ` fixes #2\n\n\\`fixes #3\\`', [1, 2, 3]],
  ['a fenced block', '```sh\nfixes #1\n````\nfixes #2\n~~~\n```\nfixes #3\n~~~', [2]],
  ['a fenced block in a list and in a quote', '- ```\n  fixes #1\n  ```\n> ```\n> fixes #2\n\nfixes #3', [3]],
  ['a fenced block that is not closed', 'Fixes #1\n```\nfixes #2\n\nfixes #3', [1]],
  ['an indented block', 'Log:\n\n    fixes #1\n\n\tfixes #2\n\nfixes #3\n    fixes #4', [3, 4]],
  ['an indented paragraph of a list', '1. Log\n\n   fixes #1\n\n       fixes #2\n   - a\n\n     fixes #3', [1, 3]],
  ['code in HTML', '<pre>\nfixes #1\n\nfixes #2</pre>\n<code>fixes #3</code> fixes #4', [4]],
  ['quotes', '> Fixes #1\n>> closes #2', [1, 2]],
  ['comment marks in code', '`<!--` fixes #1\n```\n<!--\n```\nfixes #2 `-->`', [1, 2]],
  ['a number of 0, or with a leading 0', 'fixes #0 closes #042', []],
  ['numbers up to 2³¹−1', 'fixes #2147483647 closes #2147483648 fix #99999999999', [2_147_483_647]],
  ['the same number twice', 'fixes #2, closes #1, resolves GH-2', [1, 2]],
]

function nine(): string[] {
  const verbs = ['close', 'closes', 'closed', 'fix', 'fixes', 'fixed', 'resolve', 'resolves', 'resolved']
  return verbs.map((verb, n) => `${verb} #${n + 1}`)
}

describe('the issues that a pull request closes', () => {
  it.each(bodies)('with %s', (_, body, issues) => {
    expect(closedBy(body)).toEqual(issues)
  })

  it('are those of the title too, which is not part of the body', () => {
    expect(issuesClosedBy({ title: 'Fix #7: read `<!--`', body: 'Fixes #8 -->' }, repository)).toEqual([7, 8])
    expect(issuesClosedBy({ title: 'Fix <!-- in #7', body: null }, repository)).toEqual([])
    expect(issuesClosedBy({ title: 'Read ``` and <!--', body: 'Fixes #8' }, repository)).toEqual([8])
  })

  it('are the first 20', () => {
    const numbers = Array.from({ length: 21 }, (_, n) => 40 - n)
    expect(closedBy(numbers.map((number) => `Fixes #${number}`).join('\n'))).toEqual(numbers.slice(0, 20).reverse())
  })

  it('are those of the whole lines in the first 64 KiB', () => {
    expect(closedBy(`Fixes #1\n${'x'.repeat(65_500)}\nFixes #2345`)).toEqual([1, 2345])
    expect(closedBy(`Fixes #1\n${'x'.repeat(65_518)}\nFixes #2345`)).toEqual([1])
    expect(closedBy(`Fixes #1\n${'Fixes #2\n'.repeat(1_000_000 / 9)}`)).toEqual([1, 2])
  })

  it.each([
    ...[
      '`',
      '`` ` ',
      '\\`',
      '```\n',
      '~~~\n>',
      '<!--',
      '<!-- -->',
      '<!---->\n',
      '<pre>',
      '<code>',
      'a\n\n',
      '- ',
      '> ',
      '\t',
    ],
    ...[
      'Fixes ',
      'Fixes:',
      'Fixes    ',
      'fixes octo-org/',
      'fixes #',
      'fixes https://',
      '[a',
      '[a]: b (',
      '# ',
      '1) ',
      '\n',
    ],
  ])('are read at once of 64 KiB of %j', (token) => {
    expect(closedBy(`Fixes #1\n\n${token.repeat(65_000 / token.length)}`)).toEqual([1])
    const growing = Array.from({ length: 360 }, (_, n) => token.repeat(n / token.length)).join(' ')
    expect(closedBy(`Fixes #1\n\n${growing}`)).toEqual([1])
  })

  it('are at most 20 different numbers in order, whatever the text', () => {
    const token = fc.constantFrom(
      ...[
        '`',
        '``',
        '```',
        '~~~',
        '<!--',
        '-->',
        '<pre>',
        '</pre>',
        '<code>',
        '</code>',
        '\\',
        '\n',
        '\r\n',
        '\n\n',
        ' ',
      ],
      ...[
        '    ',
        '\t',
        '> ',
        '- ',
        '1. ',
        '# ',
        'fixes ',
        'Closes: ',
        '#42',
        '#',
        'octo-org/',
        'octo-repo#7',
        'é',
        '_',
        '9',
      ],
      ...['https://github.com/octo-org/octo-repo/issues/', '[', ']: ', '(', '0', '\ud800', '\0'],
    )
    const text = fc.array(token, { maxLength: 200 }).map((tokens) => tokens.join(''))
    fc.assert(
      fc.property(text, fc.string(), (body, title) => {
        const issues = issuesClosedBy({ title, body }, repository)
        expect(issues.length).toBeLessThanOrEqual(20)
        expect(issues.every((issue) => Number.isInteger(issue) && issue >= 1 && issue < 2 ** 31)).toBe(true)
        expect(issues).toEqual([...new Set(issues)].sort((a, b) => a - b))
      }),
      { numRuns: 300 },
    )
  })
})
