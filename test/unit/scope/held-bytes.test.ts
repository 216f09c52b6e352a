import { expect, it } from 'vitest'
import { type ParsedGlob, parseGlob } from '../../../src/scope/glob.ts'
import { bytesOfGlob, bytesOfSegment } from '../../../src/scope/held-bytes.ts'
import { dearGlobs, heapUsed } from './heap.ts'

function weightOf(texts: readonly string[], read: readonly ParsedGlob[]): number {
  const paths = read.flatMap((parsed) => (parsed.ok ? parsed.glob.paths : []))
  const segments = new Set(paths.flatMap(({ items, file }) => [...items, ...(file ? [file] : [])]))
  const globs = read.reduce((sum, parsed, at) => sum + bytesOfGlob(texts[at] ?? '', parsed), 0)
  return [...segments].reduce((sum, segment) => sum + bytesOfSegment(segment), globs)
}

/** A glob that no cache of segments is asked for. */
const afresh = (glob: string) => `?/${glob}`

it.each(Object.entries(dearGlobs))('globs weigh what they take, as far as that can be told: %s', (_, glob) => {
  const texts = Array.from({ length: 220 }, (_, n) => afresh(glob(n + 1_000)))
  texts.splice(0, 20).forEach(parseGlob)
  const before = heapUsed()
  const read = texts.map(parseGlob)
  const taken = heapUsed() - before
  const weight = weightOf(texts, read)
  expect(read.filter(({ ok }) => !ok)).toEqual([])
  expect(weight).toBeGreaterThan(0.8 * taken)
  expect(weight).toBeLessThan(2.5 * taken)
})
