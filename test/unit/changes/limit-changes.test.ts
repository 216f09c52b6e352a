import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileChange, LineRange } from '../../../src/core/changes/file-change.ts'
import { limitChanges } from '../../../src/core/changes/limit-changes.ts'
import { changesLimits } from '../../../src/core/changes/limits.ts'
import { ChangesInput } from '../../../src/core/changes/schema.ts'

function modified(path: string, lines: FileChange['lines'] = [[1, 1]]): FileChange {
  return { path, previous_path: null, status: 'modified', lines }
}

function every(distance: number, count: number, first = 1): LineRange[] {
  return Array.from({ length: count }, (_, n) => [first + n * distance, first + n * distance])
}

describe('changes within the limits', () => {
  it('are not changed', () => {
    const files = [modified('a', every(2, changesLimits.ranges)), modified('b', null), modified('c', [])]
    expect(limitChanges(files)).toEqual(files)
    expect(limitChanges([])).toEqual([])
  })
})

describe('the ranges of a file with too many of them', () => {
  it('are joined where they are less than 10 lines apart', () => {
    const lines = [...every(9, 100), ...every(10, 50, 5_000)]
    expect(limitChanges([modified('a', lines)])[0]?.lines).toEqual([[1, 892], ...every(10, 50, 5_000)])
  })

  it('are dropped where joining is not enough', () => {
    const few = modified('b')
    expect(limitChanges([modified('a', every(10, 101)), few])).toEqual([modified('a', null), few])
  })

  it('stay insertions or replaced lines where they are not joined', () => {
    const far: LineRange[] = [
      [5_000, 5_001],
      [6_000, 6_001],
    ]
    const file = { ...modified('a', [...every(2, 100), ...far]), inserts: [101] }
    expect(limitChanges([file])[0]).toMatchObject({ lines: [[1, 199], ...far], inserts: [2] })
  })

  it('begin at line 1 where an insertion before it is joined', () => {
    expect(limitChanges([modified('a', [[0, 1], ...every(2, 100, 3)])])[0]?.lines).toEqual([[1, 201]])
  })
})

describe('too many files', () => {
  it('are left out where most of their directory is changed', () => {
    const scattered = Array.from({ length: 250 }, (_, n) => modified(`src/${String(n).padStart(3, '0')}/index.ts`))
    const generated = Array.from({ length: 5_000 }, (_, n) => modified(`gen/${n}.ts`))
    const kept = limitChanges([...generated, ...scattered])
    expect(kept).toHaveLength(300)
    expect(kept).toEqual(expect.arrayContaining(scattered))
  })

  it('are left out alike whatever their order', () => {
    const files = Array.from({ length: 400 }, (_, n) => modified(`${n % 7}/${n}`))
    expect(limitChanges(files.toReversed())).toEqual(limitChanges(files))
  })
})

describe('changes that are too long', () => {
  const bytes = (files: FileChange[]) => Buffer.byteLength(JSON.stringify(files))

  it('lose the lines of the files with the most ranges', () => {
    const lines = Array.from({ length: 100 }, (_, n): LineRange => [10_000_000 + n * 10, 10_000_001 + n * 10])
    const large = Array.from({ length: 299 }, (_, n) => modified(`src/${n}/${'n'.repeat(900)}`, lines))
    const kept = limitChanges([...large, modified('small')])
    expect(bytes(kept)).toBeLessThan(520 * 1024)
    expect(kept).toHaveLength(300)
    expect(kept.find(({ path }) => path === 'small')?.lines).toEqual([[1, 1]])
    expect(kept.filter(({ lines: known }) => known !== null).length).toBeGreaterThan(10)
  })

  it('lose files where even their names are too long', () => {
    const kept = limitChanges(Array.from({ length: 300 }, (_, n) => modified(`${n}${'ü'.repeat(4_000)}`)))
    expect(bytes(kept)).toBeLessThan(520 * 1024)
    expect(kept.length).toBeGreaterThan(50)
  })
})

it('limited changes are always taken by the service', () => {
  const range = fc
    .tuple(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 0, max: 5 }))
    .map(([first, more]): LineRange => [first, first + more])
  const lines = fc.option(fc.array(fc.oneof(range, fc.constant<LineRange>([0, 1])), { maxLength: 300 }))
  const files = fc.uniqueArray(fc.integer({ min: 0, max: 999 }), { minLength: 200, maxLength: 400 })
  fc.assert(
    fc.property(files, lines, (names, known) => {
      const limited = limitChanges(names.map((n) => modified(`${n % 13}/${n}`, known)))
      expect(ChangesInput.safeParse({ files: limited }).error).toBeUndefined()
    }),
    { numRuns: 50 },
  )
})
