import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AttributeRules, isIgnoredByAttributes, parseGitAttributes } from '../../../src/core/changes/git-attributes.ts'

let directory: string

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'attributes-'))
  git(['init', '--quiet'])
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function git(args: string[], input = ''): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_ATTR_NOSYSTEM: '1' }
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: directory, input, encoding: 'utf8', env })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** The paths that are ignored by what git itself says of their attributes. */
function ignoredByGit(text: string, paths: readonly string[]): string[] {
  writeFileSync(join(directory, '.gitattributes'), text)
  const output = git(['check-attr', '--stdin', '-z', 'linguist-generated', 'merge', 'diff'], `${paths.join('\0')}\0`)
  const fields = output.split('\0')
  const ignored = new Set<string>()
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', name = '', value = ''] = fields.slice(at, at + 3)
    const isIgnoring =
      (name === 'linguist-generated' && ['set', 'true'].includes(value)) ||
      (name === 'merge' && ['union', 'ours', 'binary'].includes(value)) ||
      (name === 'diff' && value === 'unset')
    if (isIgnoring) ignored.add(path)
  }
  return paths.filter((path) => ignored.has(path))
}

function ignoredByUs(text: string, paths: readonly string[]): string[] {
  const saved = AttributeRules.parse(JSON.parse(JSON.stringify(parseGitAttributes(text))))
  return paths.filter((path) => isIgnoredByAttributes(path, saved))
}

function expectAsGit(text: string, paths: readonly string[]): void {
  expect([text, ignoredByUs(text, paths)]).toEqual([text, ignoredByGit(text, paths)])
}

const generated = (pattern: string) => `${pattern} linguist-generated\n`
const isIgnored = (text: string, path: string) => ignoredByUs(text, [path]).length > 0

describe('.gitattributes', () => {
  it.each([
    ['linguist-generated', true],
    ['linguist-generated=true', true],
    ['linguist-generated=false', false],
    ['-linguist-generated', false],
    ['!linguist-generated', false],
    ['merge=union', true],
    ['merge=ours', true],
    ['merge=binary', true],
    ['merge', false],
    ['merge=text', false],
    ['-diff', true],
    ['diff', false],
    ['diff=ruby', false],
    ['!diff', false],
    ['binary', true],
    ['-binary', false],
    ['binary diff', false],
    ['diff binary', true],
    ['text eol=lf', false],
    ['linguist-vendored', false],
    ['-text linguist-generated', true],
    ['-bad:name linguist-generated', false],
  ])('with %j for a file: ignored is %j, and git agrees', (settings, expected) => {
    const text = `*.lock ${settings}\n`
    expect(isIgnored(text, 'a/b.lock')).toBe(expected)
    expectAsGit(text, ['a/b.lock', 'b.lock', 'b.lock2'])
  })

  it('decides each attribute by its last match', () => {
    const text = '*.json linguist-generated merge=union\npackage.json -linguist-generated\nb/*.json !merge\n'
    expect(isIgnored(text, 'package.json')).toBe(true)
    expect(isIgnored(text, 'b/package.json')).toBe(false)
    expectAsGit(text, ['package.json', 'b/package.json', 'a.json', 'b/a.json'])
  })

  it('expands macros, and not one that a later line unsets', () => {
    const text =
      '[attr]made linguist-generated -diff\n[attr]twice made\n*.a made\n*.b twice\nx.* -made\n*.c binary\nx.c -binary\n'
    expect(isIgnored(text, 'y.b')).toBe(true)
    expect(isIgnored(text, 'x.a')).toBe(false)
    expectAsGit(text, ['y.a', 'y.b', 'x.a', 'x.b', 'y.c', 'x.c'])
  })

  it.each([
    ['*.js', ['a.js', 'a/b.js', 'a.jsx', '.js']],
    ['/a.js', ['a.js', 'b/a.js']],
    ['a/*.js', ['a/b.js', 'a/b/c.js', 'x/a/b.js']],
    ['a/**', ['a', 'a/b', 'a/b/c', 'x/a/b']],
    ['**/a', ['a', 'b/a', 'b/c/a', 'a/b']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b', 'ab', 'x/a/b']],
    ['a**b', ['ab', 'axb', 'a/b', 'x/axb']],
    ['x/a**b', ['x/ab', 'x/axb', 'x/a/b']],
    ['dist', ['dist', 'dist/a.js', 'a/dist']],
    ['dist/', ['dist', 'dist/a.js']],
    ['!a', ['a', '!a']],
    ['\\!a', ['a', '!a']],
    ['[ab].js', ['a.js', 'b.js', 'c.js']],
    ['[!ab].js', ['a.js', 'c.js']],
    ['[^a-c].js', ['b.js', 'd.js']],
    ['[]-].js', ['].js', '-.js', 'a.js']],
    ['[[:digit:]x]', ['1', 'x', 'y']],
    ['[a', ['a', '[a']],
    ['a?c', ['abc', 'ac', 'a/c']],
    ['A.js', ['a.js', 'A.js']],
    ['\\*.js', ['*.js', 'a.js']],
    ['"a b"', ['a b', 'a']],
    ['"\\303\\244"', ['ä', 'a']],
    ['ä*', ['äb', 'ab']],
    ['#a', ['#a']],
    ['***/a', ['a', 'x/a', 'x/y/a']],
    ['/**', ['a', 'a/b']],
  ])('matches %j as git does', (pattern, paths) => {
    expectAsGit(generated(pattern), paths)
  })

  it('matches any file as git does', () => {
    const ofPath = [
      'a',
      'b',
      '/',
      '*',
      '**',
      '?',
      '[ab]',
      '[!a]',
      '.',
      '\\a',
      'ab',
      '/**/',
      '{a,b}',
      '{',
      '[[:digit:]a]',
    ]
    // A set may hold a slash for git, so that pieces of sets are tried in names alone.
    const sets = ['[^-a]', '[a-c]', '[]a]', '[!]a]', '[[:punct:]]', '[![:alpha:]]', '[\\]]', '[[:none:]]']
    const ofName = [...sets, '[', '[]', '[!]', '[[:alpha:]', '\\*', '\\', '1', 'a', '*', '?', '{a,b}']
    const patternOf = (pieces: string[]) =>
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((chosen) => chosen.join(''))
    // git takes `a**/` for `a` and then `**/`, against its manual, because it compares the literal beginning by itself.
    const isOdd = (made: string) => /[^/*]\*{2,}(\/|$)/.test(made)
    const pattern = fc.oneof(
      patternOf(ofPath).filter((made) => !isOdd(made)),
      patternOf(ofName),
    )
    const settings = fc.constantFrom(
      'linguist-generated',
      '-linguist-generated',
      'merge=union',
      '!merge',
      'binary',
      'diff',
    )
    const line = fc.tuple(pattern, settings).map((parts) => parts.join(' '))
    const paths = ['a', 'b', 'ab', 'a.b', 'a/b', 'b/a', 'a/a/b', 'a/b/ab', 'b/b/b/a', 'a/.b', '.a/b', 'ab/ab']
    paths.push('{a,b}', '{', 'a{a,b}', '[', 'a]', ']', '1', 'a/1', 'b*', '-', 'a/{/b', '1/]')
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => expectAsGit(lines.join('\n'), paths)),
      { numRuns: 150 },
    )
  })

  it('keeps only lines that bear on ignored files, the last 1,000', () => {
    const { rules } = parseGitAttributes(`*.txt text\n* eol=lf\n*.a -diff\ndir/ -diff\n!x -diff\n`)
    expect(rules).toEqual([{ pattern: '*.a', settings: [['diff', false]] }])
    const many = Array.from({ length: 1_100 }, (_, n) => `f${n} -diff`).join('\n')
    expect(
      parseGitAttributes(many)
        .rules.map(({ pattern }) => pattern)
        .slice(0, 2),
    ).toEqual(['f100', 'f101'])
  })

  it('ignores nothing where the patterns of a stranger take too many steps', () => {
    const hostile = `${`${'*a'.repeat(900)}b`} -diff\n`.repeat(30)
    expect(isIgnored(`x -diff\n${hostile}`, 'a'.repeat(4_000))).toBe(false)
    expect(isIgnored(`${hostile}x -diff`, 'x')).toBe(true)
  })
})
