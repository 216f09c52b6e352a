import { expect, it } from 'vitest'
import type { ParsedGlob } from '../../../../src/core/scope/glob/glob.ts'
import { createGlobCache, type ReadGlob } from '../../../../src/core/scope/glob/glob-cache.ts'
import { heapUsed, largeGlobs, nameOf } from '../heap.ts'

it('a glob is parsed once while it is in use, a refused one too', () => {
  const read = createGlobCache()
  expect(read('src/**')).toBe(read('src/**'))
  expect(read('{a')).toBe(read('{a'))
  expect(read('{a').ok).toBe(false)
})

it('the work of parsing is counted, by the characters of all alternatives, once', () => {
  const read = createGlobCache()
  const [plain, braces, work] = [{ steps: 0 }, { steps: 0 }, { steps: 0 }]
  read(`src/${'a'.repeat(100)}`, plain)
  read(`src/${'a'.repeat(100)}{1..9}`, braces)
  expect(plain.steps).toBeGreaterThanOrEqual(1_000)
  expect(braces.steps).toBeGreaterThanOrEqual(9_000)
  read(`src/${'a'.repeat(100)}`, work)
  expect(work.steps).toBe(0)
})

it('each cache has its own globs', () => {
  expect(createGlobCache()('src/**')).not.toBe(createGlobCache()('src/**'))
})

it('globs that are used no more are forgotten', () => {
  const read = createGlobCache(100_000)
  const first = read('some/glob')
  for (let n = 0; n < 400; n++) read(`other/glob/${n}`)
  expect(read('some/glob')).not.toBe(first)
})

it('thirty thousand usual globs fit', () => {
  const directories = (n: number) =>
    Array.from({ length: 3 + (n % 5) }, (_, up) => nameOf(Math.floor(n / 4 ** up) * 8 + up, 7)).reverse()
  const globs = Array.from({ length: 30_000 }, (_, n) =>
    [...directories(Math.floor(n / 8)), `${nameOf(n * 17, 9)}.ts`].join('/'),
  )
  const read = createGlobCache()
  const parsed = globs.map((glob) => read(glob))
  expect(globs.filter((glob, n) => read(glob) !== parsed[n])).toHaveLength(0)
})

it('a full cache takes less than 100 MB, in use', () => {
  const glob = largeGlobs['stars between letters'] ?? String
  expect(heapOfFull(createGlobCache(), 900, glob)).toBeLessThan(100_000_000)
})

it.each(Object.entries(largeGlobs))(
  'a full cache of a quarter takes less than a quarter of that, also of %s',
  (_, glob) => {
    const taken = heapOfFull(createGlobCache(17_500_000), 320, glob)
    expect(taken).toBeGreaterThan(5_000_000)
    expect(taken).toBeLessThan(25_000_000)
  },
)

/** The bytes of a cache that this many globs fill. */
function heapOfFull(read: ReadGlob, count: number, glob: (n: number) => string): number {
  const before = heapUsed()
  const first = read(glob(0))
  for (let n = 0; n < count; n++) useAll(read(glob(n)))
  const taken = heapUsed() - before
  // It was full: the first glob is forgotten.
  expect(read(glob(0))).not.toBe(first)
  return taken
}

/** Makes what is made only when a glob is compared. */
function useAll(parsed: ParsedGlob): void {
  expect(parsed.ok).toBe(true)
  if (parsed.ok) for (const { items } of parsed.glob.patterns) for (const { readings } of items) void readings
}
