import { describe, expect, test } from 'vitest'
import { maxFileBytes, readSettingsFile } from '../../../src/service/records/settings/file.ts'

const read = (text: string) => readSettingsFile(new TextEncoder().encode(text))

function problemsOf(text: string) {
  const reading = read(text)
  return reading.ok ? [] : reading.problems
}

/** Field and message of the only problem. */
function problemOf(text: string): string {
  const problems = problemsOf(text)
  expect(problems).toHaveLength(1)
  return problems.map(({ field, message }) => `${field}: ${message}`).join()
}

describe('a settings file', () => {
  test('sets every key that it names', () => {
    const text = `
activity_ttl_ms: 60000
max_activity_ttl_ms: 2592000000
notable_ttl_ms: 31536000000
disabled_notable_categories: [release, process]
pr_reminder_after_ms: 0
areas:
  Front end:
    - web/**
    - "*.{ts,tsx}"
enabled: false
observe: [pull_requests, branches]
pull_request_ttl_ms: 31536000000
branch_ttl_ms: 60000
max_files: 3000
pull_request_report: off
pull_request_report_notables: false
ignored_paths:
  - default
  - "**/*.{pb,gen}.go"
ignored_branches: [default, wip/**]
ignored_authors: ["renovate[bot]", octo_corp]
`
    expect(read(text)).toEqual({
      ok: true,
      values: {
        activity_ttl_ms: 60_000,
        max_activity_ttl_ms: 2_592_000_000,
        notable_ttl_ms: 31_536_000_000,
        disabled_notable_categories: ['release', 'process'],
        pr_reminder_after_ms: 0,
        areas: { 'Front end': ['web/**', '*.{ts,tsx}'] },
        enabled: false,
        observe: ['pull_requests', 'branches'],
        pull_request_ttl_ms: 31_536_000_000,
        branch_ttl_ms: 60_000,
        max_files: 3_000,
        pull_request_report: 'off',
        pull_request_report_notables: false,
        ignored_paths: ['default', '**/*.{pb,gen}.go'],
        ignored_branches: ['default', 'wip/**'],
        ignored_authors: ['renovate[bot]', 'octo_corp'],
      },
    })
  })

  test('may have empty lists', () => {
    const text = 'observe: []\nignored_paths: []\nignored_branches: []\nignored_authors: []\n'
    expect(read(text)).toEqual({
      ok: true,
      values: { observe: [], ignored_paths: [], ignored_branches: [], ignored_authors: [] },
    })
  })

  test.each([
    ['nothing', ''],
    ['a comment', '# to come\n'],
    ['a document mark', '---\n'],
    ['null', 'null\n'],
    ['keys without values', 'activity_ttl_ms:\nareas: ~\nmax_activity_ttl_ms: null\n'],
    ['an empty mapping after a byte order mark', '\uFEFF{}\n'],
  ])('of %s sets no key', (_, text) => {
    expect(read(text)).toEqual({ ok: true, values: {} })
  })

  test('may use anchors and aliases', () => {
    expect(read('areas:\n  a: &web [web/**]\n  b: *web\n')).toEqual({
      ok: true,
      values: { areas: { a: ['web/**'], b: ['web/**'] } },
    })
  })

  test('of exactly 64 KiB is read, and of one byte more is not', () => {
    const full = `#${'x'.repeat(maxFileBytes - 1)}`
    expect(read(full).ok).toBe(true)
    expect(problemOf(`${full}x`)).toBe('file: has 65537 bytes, and may have 65536')
  })

  test('that is not UTF-8 is a problem', () => {
    expect(readSettingsFile(Uint8Array.of(0x23, 0xff))).toEqual({
      ok: false,
      problems: [{ field: 'file', message: 'is not UTF-8 text' }],
    })
  })

  test.each([
    ['a list', '- a\n'],
    ['a text', 'hello\n'],
    ['a number', '5\n'],
  ])('that holds %s is a problem', (_, text) => {
    expect(problemOf(text)).toBe('file: has to be a mapping of keys to values')
  })
})

describe('the YAML of a settings file', () => {
  test('that does not parse is a problem with its line', () => {
    expect(problemOf('activity_ttl_ms: 60000\nareas: [a\nb: c\n')).toMatch(/^file: line 3: \S/)
    expect(problemOf('areas:\n\t- x\n')).toMatch(/^file: line 2: Tabs/)
    expect(problemOf('areas: {}\n}\n')).toMatch(/^file: line 2: \S/)
  })

  test('may name a key only once, in any notation', () => {
    expect(problemOf('notable_ttl_ms: 60000\nactivity_ttl_ms: 60000\n"notable_ttl_ms": 70000\n')).toBe(
      'file: line 3: the key "notable_ttl_ms" is there twice',
    )
    expect(problemOf('areas:\n  1: [a]\n  "1": [b]\n')).toBe('file: line 3: the key "1" is there twice')
  })

  test('has plain keys', () => {
    expect(problemOf('areas: {}\n? {a: 1}\n: 2\n')).toMatch(/^file: line 2: a key has to be plain text/)
    expect(problemOf('areas: {}\n? [a]\n: 2\n')).toMatch(/^file: line 2: a key has to be plain text/)
  })

  test('is one document', () => {
    expect(problemOf('areas: {}\n---\nareas: {}\n')).toBe('file: line 2: holds more than one document')
    expect(problemOf('---\n---\n---\n')).toMatch(/^file: line \d: holds more than one document$/)
    expect(problemOf('areas: {}\n...\nareas: {}\n')).toBe('file: line 3: holds more than one document')
  })

  test('has a bound for the expansion of aliases', () => {
    const nines = (name: string) => `[${Array(9).fill(`*${name}`).join(', ')}]`
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]', `b: &b ${nines('a')}`, `c: &c ${nines('b')}`, `d: ${nines('c')}`]
    expect(problemOf(bomb.join('\n'))).toMatch(/^file: .*alias/)
  })

  test('may not use an unknown alias', () => {
    expect(problemOf('areas: *nowhere\n')).toMatch(/^file: .*nowhere/)
    expect(problemOf('areas: &a\n  x: *a\n')).toMatch(/^areas\.x: /)
  })

  // Composing such a document can end the whole process.
  test.each([
    ['brackets', '['],
    ['braces', '{a: '],
    ['list marks', '- '],
    ['key marks', '? '],
  ])('nested thousands deep in %s is a problem', (_, opening) => {
    expect(problemOf(opening.repeat(maxFileBytes / opening.length))).toMatch(/^file: line 1: nests more than 50 levels/)
  })
})

describe('the keys of a settings file', () => {
  test('that are unknown are named', () => {
    const problems = problemsOf('activity_ttl: 5\nareas: {}\nnotable_ttl: 6\n')
    expect(problems.map(({ field }) => field)).toEqual(['activity_ttl', 'notable_ttl'])
    expect(problems[0]?.message).toContain('activity_ttl_ms')
  })

  test('include no _extends', () => {
    expect(problemOf('_extends: other-repository\n')).toMatch(/^_extends: is refused/)
  })

  test('include no __proto__', () => {
    expect(problemOf('__proto__: {activity_ttl_ms: 60000}\n')).toMatch(/^__proto__: is not a known key/)
  })

  test.each([
    ['activity_ttl_ms: 59999', 'activity_ttl_ms'],
    ['activity_ttl_ms: 2592000001', 'activity_ttl_ms'],
    ['activity_ttl_ms: "60000"', 'activity_ttl_ms'],
    ['activity_ttl_ms: 60000.5', 'activity_ttl_ms'],
    ['max_activity_ttl_ms: .inf', 'max_activity_ttl_ms'],
    ['notable_ttl_ms: 31536000001', 'notable_ttl_ms'],
    ['pr_reminder_after_ms: -1', 'pr_reminder_after_ms'],
    ['disabled_notable_categories: release', 'disabled_notable_categories'],
    ['disabled_notable_categories: [release, fyi]', 'disabled_notable_categories[1]'],
    ['areas: [web]', 'areas'],
    ['areas: {web: web/**}', 'areas.web'],
    ['areas: {web: [web/**, "../x"]}', 'areas.web[1]'],
    ['areas: {web: }', 'areas.web'],
    ['areas: {"": [web]}', 'areas.'],
    ['enabled: yes', 'enabled'],
    ['enabled: 0', 'enabled'],
    ['observe: pull_requests', 'observe'],
    ['observe: [issues]', 'observe[0]'],
    ['pull_request_ttl_ms: 59999', 'pull_request_ttl_ms'],
    ['pull_request_ttl_ms: 31536000001', 'pull_request_ttl_ms'],
    ['branch_ttl_ms: 59999', 'branch_ttl_ms'],
    ['branch_ttl_ms: 31536000001', 'branch_ttl_ms'],
    ['max_files: 0', 'max_files'],
    ['max_files: 3001', 'max_files'],
    ['pull_request_report: never', 'pull_request_report'],
    ['pull_request_report_notables: some', 'pull_request_report_notables'],
    ['ignored_paths: default', 'ignored_paths'],
    ['ignored_paths: [default, "../x"]', 'ignored_paths[1]'],
    ['ignored_branches: [""]', 'ignored_branches[0]'],
    ['ignored_branches: ["a{b"]', 'ignored_branches[0]'],
    ['ignored_authors: ["@alice"]', 'ignored_authors[0]'],
    ['ignored_authors: [""]', 'ignored_authors[0]'],
    ['ignored_authors: ["alice[bot"]', 'ignored_authors[0]'],
    ['ignored_authors: [alice smith]', 'ignored_authors[0]'],
    ['ignored_authors: [5]', 'ignored_authors[0]'],
  ])('%s is a problem of %s', (text, field) => {
    expect(problemsOf(text).map((problem) => problem.field)).toEqual([field])
  })

  test('are reported as text that the database accepts', () => {
    expect(problemsOf('"a\\u0000\\n\\uD800b": 1\n').map(({ field }) => field)).toEqual(['a \uFFFDb'])
  })

  test('have messages in plain words', () => {
    expect(problemOf('activity_ttl_ms: 60000.5')).toBe('activity_ttl_ms: must be an integer')
    expect(problemOf('areas: [web]')).toBe('areas: must be a map')
  })

  test('have a message for an invalid name of an area', () => {
    expect(problemOf('areas: {"a\\u0007": []}\n')).toContain('the name must not hold control characters')
  })

  test('hold at most 100 areas of at most 100 globs', () => {
    const areas = (count: number) => `areas:\n${Array.from({ length: count }, (_, i) => `  a${i}: [x]\n`).join('')}`
    expect(read(areas(100)).ok).toBe(true)
    expect(problemOf(areas(101))).toBe('areas: at most 100 areas')
    const globs = (count: number) => `areas:\n  a: [${Array(count).fill('x').join(', ')}]\n`
    expect(read(globs(100)).ok).toBe(true)
    expect(problemOf(globs(101))).toMatch(/^areas\.a: /)
  })

  test.each([
    ['observe', 'branches'],
    ['ignored_paths', 'x'],
    ['ignored_branches', 'x'],
    ['ignored_authors', 'x'],
  ])('hold at most 100 items of %s', (key, item) => {
    const list = (count: number) => `${key}: [${Array(count).fill(item).join(', ')}]`
    expect(read(list(100)).ok).toBe(true)
    expect(problemOf(list(101))).toBe(`${key}: must have at most 100 items`)
  })

  test('have a message for what is no login', () => {
    expect(problemOf('ignored_authors: ["@alice"]')).toBe(
      'ignored_authors[0]: must be the login of a GitHub account without @, such as renovate[bot]',
    )
  })

  const kinds: [string, string, (n: number) => string, number][] = [
    ['unknown keys', '', (n) => `k${n}: 1`, 901],
    // The number of areas is one more problem.
    ['globs at fault', 'areas:', (n) => `  a${n}: ["../x"]`, 902],
    ['keys that stand twice', 'areas:\n  a: [x]', () => '  a: [x]', 901],
    ['aliases of nothing', 'areas:', (n) => `  a${n}: *b`, 901],
  ]
  test.each(kinds)('have at most 100 problems, the last of which counts the others: %s', (_, start, faulty, more) => {
    const problems = (count: number) =>
      problemsOf([start, ...Array.from({ length: count }, (_, n) => faulty(n))].join('\n'))
    const [hundred, thousand] = [problems(100), problems(1000)]
    expect(hundred).toHaveLength(100)
    expect(hundred.at(-1)?.message).not.toMatch('more problems')
    expect(thousand).toEqual([...hundred.slice(0, 99), { field: 'file', message: `has ${more} more problems` }])
  })

  test('have problems of bounded length', () => {
    const many = Array.from({ length: 500 }, (_, i) => `${'k'.repeat(100)}${i}: 1`).join('\n')
    const problems = problemsOf(many)
    expect(problems).toHaveLength(100)
    for (const { field, message } of problems) {
      expect(field.length).toBeLessThanOrEqual(101)
      expect(message).toMatch(/^.{1,301}$/)
    }
  })
})
