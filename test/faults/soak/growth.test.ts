import { expect, it } from 'vitest'
import { bounds, growthOf, rowBound } from './growth.ts'

const level = { rss: 100, heap: 50, files: 30, handles: 20, temporaryFiles: 0 }

/** Sixty samples with the given values. */
function samples(of: (at: number) => Partial<typeof level>) {
  return Array.from({ length: 60 }, (_, at) => ({ ...level, ...of(at) }))
}

function grown(of: (at: number) => Partial<typeof level>): string[] {
  return growthOf(samples(of), bounds).flatMap(({ held, isWithin }) => (isWithin ? [] : [held]))
}

it('accepts a warm-up, waves and a single peak', () => {
  expect(grown((at) => ({ rss: at < 20 ? at * 5 : 100 }))).toEqual([])
  expect(grown((at) => ({ heap: 50 + 20 * (at % 5) }))).toEqual([])
  expect(grown((at) => ({ heap: 50 + (at % 19) * 3 }))).toEqual([])
  expect(
    grown((at) => (at === 55 ? { rss: 900, heap: 900, files: 900, handles: 900, temporaryFiles: 1 } : {})),
  ).toEqual([])
})

it('detects steady growth of each measure', () => {
  expect(grown((at) => ({ rss: 100 + at }))).toEqual(['rss'])
  expect(grown((at) => ({ heap: 50 + at }))).toEqual(['heap'])
  expect(grown((at) => ({ files: 30 + at }))).toEqual(['files'])
  expect(grown((at) => ({ handles: 20 + at }))).toEqual(['handles'])
  expect(grown((at) => ({ temporaryFiles: at }))).toEqual(['temporaryFiles'])
})

it('detects rows that are never deleted, and accepts rows that are deleted after some time', () => {
  const rows = (of: (at: number) => number) =>
    growthOf(
      Array.from({ length: 60 }, (_, at) => ({ rows: of(at) })),
      { rows: rowBound },
    )
  expect(rows((at) => at * 100)).toMatchObject([{ isWithin: false }])
  expect(rows((at) => Math.min(at, 15) * 100 + (at % 7) * 30)).toMatchObject([{ isWithin: true }])
})

it('rejects too few samples', () => {
  expect(() => growthOf(samples(() => ({})).slice(0, 2), bounds)).toThrow('too few samples')
})
