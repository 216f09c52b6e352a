import { describe, expect, it } from 'vitest'
import { comparableWork } from '../../../../src/overlap/changed/changed-work.ts'
import { countPaths, isHot } from '../../../../src/overlap/changed/hot-files.ts'

function work(...paths: string[]) {
  const files = paths.map((path) => ({ path, previous_path: null, status: 'modified' as const, lines: null }))
  const nobody = { baseBranch: 'main', author: null, headSha: null, commits: new Set<string>() }
  return comparableWork({ ...nobody, files, filesTotal: files.length })
}

/** So many pieces of work of which the first `changing` change the file. */
function counts(works: number, changing: number) {
  return countPaths(Array.from({ length: works }, (_, n) => work(n < changing ? 'a.ts' : 'b.ts')))
}

describe('a hot file', () => {
  it.each([
    [5, 10, false],
    [6, 10, true],
    [6, 119, true],
    [6, 120, false],
    [7, 120, true],
  ])('is changed by more than 5 others and more than 5 % of them: %i of %i: %s', (changing, works, hot) => {
    expect(isHot('a.ts', counts(works, changing), false)).toBe(hot)
  })

  it('is so by others: the work that is compared does not count itself', () => {
    expect(isHot('a.ts', counts(10, 6), true)).toBe(false)
    expect(isHot('a.ts', counts(10, 7), true)).toBe(true)
    expect(isHot('a.ts', counts(120, 7), true)).toBe(true)
    expect(isHot('a.ts', counts(121, 7), true)).toBe(false)
  })

  it('is never one that nobody changes', () => {
    expect(isHot('c.ts', counts(10, 10), false)).toBe(false)
  })
})
