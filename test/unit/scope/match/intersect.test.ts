import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { glob, segment, simplePath } from '../glob-samples.ts'
import { globsIntersect, sharedPath } from '../read.ts'
import { automataMeet } from '../reference-automata.ts'
import { counts, countsPlainly } from '../reference-matcher.ts'

const words = (length: number): string[] =>
  length === 0 ? [''] : words(length - 1).flatMap((word) => Array.from('ab.[]', (character) => word + character))
const shortNames = [1, 2, 3, 4].flatMap(words)
const paths = (depth: number): string[] =>
  depth === 0
    ? []
    : ['a', 'b', 'ab', 'a.b', 'b.b', '[ab]', '.a'].flatMap((name) => [
        name,
        ...paths(depth - 1).map((path) => `${name}/${path}`),
      ])
const shortPaths = paths(4)

const runs = (numRuns: number) => ({ numRuns })

describe('whether two globs intersect', () => {
  it('is yes for segments exactly where the plain matcher finds a common name', () => {
    fc.assert(
      fc.property(segment, segment, (a, b) => {
        const path = sharedPath(a, b)
        if (path === null) expect(shortNames.filter((name) => counts(a, b, name))).toEqual([])
        else expect(counts(a, b, path)).toBe(true)
      }),
      runs(100),
    )
  })

  it('is yes for paths exactly where the plain matcher finds a common path', () => {
    fc.assert(
      fc.property(simplePath, simplePath, (a, b) => {
        const path = sharedPath(a, b)
        if (path === null) expect(shortPaths.filter((shared) => counts(a, b, shared))).toEqual([])
        else expect(counts(a, b, path)).toBe(true)
      }),
      runs(40),
    )
  })

  it('is what an automata library finds', () => {
    fc.assert(
      fc.property(glob, glob, (a, b) => {
        expect(globsIntersect(a, b)).toBe(automataMeet(a, b))
      }),
      runs(200),
    )
  })

  it('does not depend on the order of the two', () => {
    fc.assert(
      fc.property(glob, glob, (a, b) => {
        expect(globsIntersect(a, b)).toBe(globsIntersect(b, a))
        expect(sharedPath(a, b)).toBe(sharedPath(b, a))
      }),
      runs(600),
    )
  })

  it('shows a path that counts for both, and below no file where there is such a path', () => {
    fc.assert(
      fc.property(glob, glob, (a, b) => {
        const path = sharedPath(a, b)
        expect(path !== null).toBe(globsIntersect(a, b))
        if (path === null) return
        expect(counts(a, b, path)).toBe(true)
        if (!countsPlainly(a, b, path)) expect(shortPaths.filter((shared) => countsPlainly(a, b, shared))).toEqual([])
      }),
      runs(600),
    )
  })
})

/** The worked pairs of the dialect: two globs, and the example path that both match, or null. */
const pairs: [string, string, string | null][] = [
  ['src/*/a.ts', 'src/b/*.ts', 'src/b/a.ts'],
  ['src', '**/*.ts', 'src/a.ts'],
  ['src/auth', 'src/*/login.ts', 'src/auth/login.ts'],
  ['src/{a/b,c}/x.rs', 'src/c/*.rs', 'src/c/x.rs'],
  ['app/[id]/page.tsx', 'app/[id]/page.tsx', 'app/[id]/page.tsx'],
  ['app/[id]', 'app/[id]/page.tsx', 'app/[id]/page.tsx'],
  ['pages/[id].*', 'pages/[id].tsx', 'pages/[id].tsx'],
  ['src/**/a.ts', 'src/a.ts', 'src/a.ts'],
  ['src/?b.ts', 'src/c*.ts', 'src/cb.ts'],
  ['**.md', 'README.md', 'README.md'],
  ['./src/a.ts', '/src/a.ts', 'src/a.ts'],
  ['.github/**', '**/*.yml', '.github/a.yml'],
  ['packages/*/', 'packages/a/src/x.ts', 'packages/a/src/x.ts'],
  ['packages/socket.io', 'packages/socket.io/lib/*.ts', 'packages/socket.io/lib/a.ts'],
  ['app/[...slug]', '**/page.tsx', 'app/[...slug]/page.tsx'],
  ['app/[user-id]/a.ts', 'app/*/a.ts', 'app/[user-id]/a.ts'],
  ['src/a{,b}/**', 'src/ab/c', 'src/ab/c'],
  ['src/*.ts', 'src/*.css', null],
  ['src/{a,b}.ts', 'src/{c,d}.ts', null],
  ['src/[ab].ts', 'src/[cd].ts', null],
  ['README.md', 'docs/README.md', null],
  ['README.md', '**/*.ts', null],
  ['package.json', '*/package.json', null],
  ['*.md', 'docs/a.md', null],
  ['*', 'src/**', null],
  ['packages/*', 'packages/a/src/x.ts', null],
  ['packages/*', 'packages/a/**', null],
  ['src/app/**', 'src/application/**', null],
  ['src/A.ts', 'src/a.ts', null],
]

describe.each([
  ['as written', pairs],
  ['the other way round', pairs.map(([a, b, path]): (typeof pairs)[number] => [b, a, path])],
])('the worked pairs of the dialect, %s', (_, rows) => {
  it.each(rows)('%s and %s: %s', (a, b, path) => {
    expect(globsIntersect(a, b)).toBe(path !== null)
    expect(sharedPath(a, b)).toBe(path)
  })
})
