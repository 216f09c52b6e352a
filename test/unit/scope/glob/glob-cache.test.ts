import { expect, it } from 'vitest'
import type { ParsedGlob } from '../../../../src/scope/glob/glob.ts'
import { createGlobCache } from '../../../../src/scope/glob/glob-cache.ts'
import { heapUsed, largeGlobs, nameOf } from '../heap.ts'

it('a glob is parsed once while it is in use, a refused one too', () => {
  const read = createGlobCache()
  expect(read('src/**')).toBe(read('src/**'))
  expect(read('{a')).toBe(read('{a'))
  expect(read('{a').ok).toBe(false)
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
  const parsed = globs.map(read)
  expect(globs.filter((glob, n) => read(glob) !== parsed[n])).toHaveLength(0)
})

it.each(Object.entries(largeGlobs))('a full cache takes less than 100 MB, in use, also of %s', (_, glob) => {
  const before = heapUsed()
  const read = createGlobCache()
  for (let n = 0; n < 900; n++) useAll(read(glob(n)))
  expect(heapUsed() - before).toBeLessThan(100_000_000)
  expect(read(glob(0)).ok).toBe(true)
})

/** Makes what is made only when a glob is compared. */
function useAll(parsed: ParsedGlob): void {
  expect(parsed.ok).toBe(true)
  if (parsed.ok) for (const { items } of parsed.glob.patterns) for (const { readings } of items) void readings
}
