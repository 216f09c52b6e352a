import { expect, it } from 'vitest'
import { growthOf } from './growth.ts'
import type { Sample } from './sample.ts'

/** Sixty samples with the given values. */
function samples(of: (at: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: 60 }, (_, at) => ({ at, rss: 100, heap: 50, files: 30, ...of(at) }))
}

function grown(of: (at: number) => Partial<Sample>): string[] {
  return growthOf(samples(of)).flatMap(({ held, isWithin }) => (isWithin ? [] : [held]))
}

it('accepts a warm-up, waves and a single peak', () => {
  expect(grown((at) => ({ rss: at < 20 ? at * 5 : 100 }))).toEqual([])
  expect(grown((at) => ({ heap: 50 + 20 * (at % 5) }))).toEqual([])
  expect(grown((at) => (at === 55 ? { rss: 900, heap: 900, files: 900 } : {}))).toEqual([])
})

it('detects steady growth of each measure', () => {
  expect(grown((at) => ({ rss: 100 + at }))).toEqual(['rss'])
  expect(grown((at) => ({ heap: 50 + at }))).toEqual(['heap'])
  expect(grown((at) => ({ files: 30 + at }))).toEqual(['files'])
})

it('rejects too few samples', () => {
  expect(() => growthOf(samples(() => ({})).slice(0, 2))).toThrow('too few samples')
})
