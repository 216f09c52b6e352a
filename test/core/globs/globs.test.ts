import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseGlob } from '../../../src/core/globs/glob.ts'
import { TooCostly } from '../../../src/core/globs/shared.ts'
import { matchesPath, sharedPath } from '../../../src/core/globs/shared-path.ts'
import { isInBoth } from './reference.ts'

function shared(a: string, b: string): string | null {
  return sharedPath(parseGlob(a), parseGlob(b), { steps: 1_000_000 })
}

describe('§6 two globs overlap', () => {
  it.each([
    ['src/*/a.ts', 'src/b/*.ts', 'src/b/a.ts'],
    ['src', '**/*.ts', null],
    ['src/{a/b,c}/x.rs', 'src/c/*.rs', 'src/c/x.rs'],
    ['app/[id]', 'app/[id]/page.tsx', 'app/[id]/page.tsx'],
    ['pages/[id].*', 'pages/[id].tsx', 'pages/[id].tsx'],
    ['src/**/a.ts', 'src/a.ts', 'src/a.ts'],
    ['**.md', 'README.md', 'README.md'],
    ['.github/**', '**/*.yml', null],
    ['packages/*/', 'packages/a/src/x.ts', 'packages/a/src/x.ts'],
    ['src/a{,b}/**', 'src/ab/c', 'src/ab/c'],
    ['packages/socket.io', 'packages/socket.io/lib/*.ts', null],
    ['.', 'a', 'a'],
    ['**', '.gitignore', '.gitignore'],
    ['./src//a.ts', 'src/./a.ts', 'src/a.ts'],
    ['src/', 'src/a.ts', 'src/a.ts'],
    ['src/[a-c].ts', 'src/b.ts', 'src/b.ts'],
    ['src/[a-c].ts', 'src/[a-c].ts', null],
    ['src/[!a].ts', 'src/b.ts', 'src/b.ts'],
    ['src/[*].ts', 'src/\\[\\*\\].ts', 'src/[*].ts'],
    ['v{1..3}/x', 'v2/**', 'v2/x'],
    ['a\\{b\\}', 'a\\{b\\}/c', 'a{b}/c'],
    ['.*', '.*', '.a'],
    ['*', '*', 'a'],
    ['*.ts', '*', 'a.ts'],
    ['?', '😀', '😀'],
    ['[!-~]', '?', 'a'],
    ['src/Makefile', 'src/Makefile', 'src/Makefile'],
  ])('%s and %s', (a, b, witness) => {
    const found = [shared(a, b), shared(b, a)]
    for (const path of found) {
      expect(path).not.toBeNull()
      expect(matchesPath(parseGlob(a), path ?? '', { steps: 1_000 })).toBe(true)
      expect(matchesPath(parseGlob(b), path ?? '', { steps: 1_000 })).toBe(true)
      if (witness !== null) expect(path).toBe(witness)
    }
  })
})

describe('§6 two globs do not overlap', () => {
  it.each([
    ['src/*.ts', 'src/*.css'],
    ['src/[ab].ts', 'src/[cd].ts'],
    ['README.md', 'docs/README.md'],
    ['package.json', '*/package.json'],
    ['*', 'src/**'],
    ['packages/*', 'packages/a/**'],
    ['src/app/**', 'src/application/**'],
    ['src/A.ts', 'src/a.ts'],
    ['src/caf\u00e9', 'src/cafe\u0301'],
    ['README.md', '**/*.ts'],
    ['packages/socket.io', 'packages/*.io/lib/x.ts'],
    ['src/**', 'src'.concat('.ts')],
    ['[/]', 'a/]'],
    ['[+-a]', '\\[+-a\\]x'],
    ['.*', '?'],
    ['.*', '{?,[.]}'],
    ['[b-a]', '?'],
    ['src/**', 'sr?'],
  ])('%s and %s', (a, b) => expect([shared(a, b), shared(b, a)]).toEqual([null, null]))
})

const names = ['a', 'b', 'ab', 'a.b', 'a.c', '.a', '[ab]', '[!a].b', ']']
const segment = fc.constantFrom(
  ...['a', 'b', '*', '**', '***', '?', 'a.b', '*.b', '[ab]', '[ab].b', '[!a].b', '?*', '.a', '.*', '[!a]*', 'a*'],
  ...['\\[ab\\]', '[]a]', '[^.]', '[a-c.]', '[', '{a,b}', '{a,*/b}', '{a/b,**}', 'a{,.b}', '{[ab],.?}', '[a]{b,.b}'],
)
const glob = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '', '', '/'))
  .map(([all, end]) => all.join('/') + end)

const paths = names.flatMap((x) => [x, ...names.flatMap((y) => [`${x}/${y}`, ...names.map((z) => `${x}/${y}/${z}`)])])

it('§6 two globs overlap exactly where a plain matcher finds a path in both, and the example is such a path', () => {
  fc.assert(
    fc.property(glob, glob, (a, b) => {
      const path = shared(a, b)
      if (path === null) expect(paths.filter((one) => isInBoth(a, b, one))).toEqual([])
      else expect([a, b, path, isInBoth(a, b, path)]).toEqual([a, b, path, true])
      expect(shared(b, a) === null).toBe(path === null)
    }),
    { numRuns: 200 },
  )
})

describe('§6 a glob is refused that', () => {
  it.each<[string, string, RegExp]>([
    ['is empty', '', /empty/],
    ['has an empty alternative', '{,a}', /empty alternative/],
    ['has an empty alternative at the end', '{a,}', /empty alternative/],
    ['has an empty alternative of two braces', '{a,}{b,}', /empty alternative/],
    ['has an unclosed brace', 'src/{a,b', /close each "\{".*\\\{/],
    ['has an unclosed brace behind a closed one', '{a,b}/{c', /close each/],
    ['has a brace that only an escaped one closes', '{a\\}', /close each/],
    ['leaves the repository', 'src/../a', /top of the repository/],
    ['leaves the repository in an alternative', 'a/{b,..}/c', /top of the repository/],
    ['leaves the repository by expansion', 'a/.{b,.}', /top of the repository/],
    ['begins with !', '!src/a.ts', /leave the "!" out/],
    ['has an alternative that begins with !', '{a,!b}', /leave the "!" out/],
    ['is extended', 'src/@(a|b).ts', /extended glob: write \{a,b\}/],
    ['is extended with +', '+(b)', /extended/],
    ['is extended behind a class', '[a]?(b)', /extended/],
    ['has a backslash before a letter', 'src\\auth', /must use "\/"/],
    ['ends with a backslash', 'src/a\\', /must use "\/"/],
    ['begins with a slash', '/src/a.ts', /top of the repository/],
    ['begins with a slash in an alternative', '{a,/b}', /top of the repository/],
    ['begins at home', '~/src/a.ts', /top of the repository/],
    ['begins with a drive', 'C:/src/a.ts', /top of the repository/],
    ['begins with a drive and a backslash', 'C:\\src', /top of the repository/],
    ['begins with a space', ' src', /white space/],
    ['ends with a line break', 'src\n', /white space/],
    ['has an alternative that ends with a space', '{a ,b}', /white space/],
    ['ends with a line', 'src/a.ts:105', /leave ":105" out/],
    ['has 257 alternatives', '{1..257}', /at most 256/],
    ['has 512 alternatives of brackets', '[0-9]'.repeat(9), /at most 256/],
    ['has 288 alternatives of braces and brackets', '{a,b,c}'.repeat(2) + '[ab]'.repeat(5), /at most 256/],
    ['has more alternatives than can be made', '{1..99}'.repeat(60), /at most 256/],
    ['has more readings than can be made', '[ab]'.repeat(120), /at most 256/],
  ])('%s: %s', (_, text, says) => expect(() => parseGlob(text)).toThrow(says))
})

describe('§6 a glob is not refused for', () => {
  it.each([
    ['an escaped !', '\\!src'],
    ['a ! within', 'src/!a'],
    ['escaped parentheses', 'src/@\\(a\\)'],
    ['a sign within a class before a parenthesis', '[?(]'],
    ['parentheses', 'app/(shop)/(.)photo/(..)a'],
    ['dots within a name', 'a..b/...c/d..'],
    ['an option that is empty beside something', 'src/a{,b}'],
    ['256 alternatives', '{1..256}'],
    ['256 alternatives of brackets', '[0-9]'.repeat(8)],
    ['a closing brace alone', 'a}'],
    ['a name with a colon', 'src/a:b'],
    ['white space within', 'my docs/a b.md'],
  ])('%s: %s', (_, text) => expect(parseGlob(text).text).toBe(text))
})

it.each([
  ['src/a.ts', 'src/a.ts'],
  ['./src//a.ts', 'src/a.ts'],
  ['app/[id]/page.tsx', 'app/[id]/page.tsx'],
  ['a\\*b', 'a*b'],
  ['src', 'src'],
  ['src/', null],
  ['src/*', null],
  ['src/{a,b}.ts', null],
  ['src/{a}.ts', null],
  ['**', null],
])('§5 the literal path of %s is %s', (text, literal) => expect(parseGlob(text).literal).toBe(literal))

const many = (text: string, times: number) => text.repeat(times)
const each = (count: number, write: (character: string) => string) =>
  `{${Array.from({ length: count }, (_, n) => write(String.fromCodePoint(0x4e00 + n))).join(',')}}`

/** Pairs that are made to be hard, within the limits of a request. */
const hardPairs: [string, string, string, boolean][] = [
  ['double stars', many('**/a/', 100), many('**/c/', 100), true],
  ['stars', `${many('*a', 249)}d`, `${many('*b', 247)}[cd]`, false],
  ['a long run in a longer one', `*${many('a', 240)}b*`, many('a', 500), false],
  ['a run with any characters', `*${many('?a', 120)}b*`, many('?a', 250), true],
  ['128 alternatives on both sides', `${many('{a,b}', 7)}ccccccc`, `${many('{a,b}', 7)}dddddddd`, false],
  ['64 alternatives with stars', `*${many('{a,b}', 6)}c*d`, `*${many('{a,b}', 6)}e*f`, false],
  ['lists of names that all meet', each(64, (c) => `?${c}aa/c`), each(64, (c) => `${c}?aa/d`), false],
  ['long paths', `**/${many('?a/', 160)}c/**/d`, `${many('?a/', 160)}b`, true],
  ['files all the way', `${many('**/a.b/', 70)}x.y`, `${many('**/a.b/', 70)}c/x.y`, false],
  ['below a file at last', `**/${many('a.b/', 100)}q.d`, `${many('**/?.b/', 60)}q.d/z.c`, true],
]

describe('§5 a pair of globs that is made to be hard', () => {
  it.each(hardPairs)('%s: is decided in either order in fewer steps than a check has', (_, a, b, expected) => {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ]) {
      const budget = { steps: 2_000_000 }
      expect(sharedPath(parseGlob(one ?? ''), parseGlob(other ?? ''), budget) !== null).toBe(expected)
    }
  })

  it('is given up where the budget is used up', () => {
    const [a, b] = [parseGlob(`${many('*a', 249)}d`), parseGlob(`${many('*b', 247)}[cd]`)]
    expect(() => sharedPath(a, b, { steps: 1_000 })).toThrow(TooCostly)
  })

  it('costs a step for each pair of alternatives at least', () => {
    const budget = { steps: 2_000_000 }
    expect(sharedPath(parseGlob('a{1..256}/x'), parseGlob('b{1..256}/x'), budget)).toBeNull()
    expect(budget.steps).toBe(2_000_000 - 256 * 256)
  })
})
