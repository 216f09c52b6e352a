import { describe, expect, it } from 'vitest'
import { ChangesInput } from '../../../src/core/schemas/changes.ts'
import { faultsOf } from './faults.ts'

const sha = 'A'.repeat(40)

describe('§5 changes', () => {
  it('are at most 3,000 files, of which the first 300 keep their lines', () => {
    const files = Array.from({ length: 3_000 }, (_, n) => ({ path: `f${n}`, lines: [[1, 2]] }))
    const parsed = ChangesInput.parse({ files })
    expect([299, 300].map((n) => parsed.files[n]?.lines)).toEqual([[[1, 2]], null])
    expect(parsed.files_total).toBe(3_000)
    expect(faultsOf(ChangesInput, { files: [...files, { path: 'one more' }] })).toEqual([
      'files: must have at most 3000 items, and has 3001',
    ])
  })

  it('keep at most 100 ranges of a file, and the newest 250 commits', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, n) => [n * 3 + 1, n * 3 + 1])
    const commits = Array.from({ length: 300 }, (_, n) => n.toString(16).padStart(40, '0'))
    const files = [100, 101].map((count) => ({ path: `f${count}`, lines: lines(count) }))
    const parsed = ChangesInput.parse({ files, commits, head_sha: sha })
    expect(parsed.files.map((file) => file.lines?.length)).toEqual([100, undefined])
    expect(parsed.commits).toEqual(commits.slice(0, 250))
    expect(parsed.head_sha).toBe(sha.toLowerCase())
  })

  it.each<[string, object, string]>([
    ['a path twice', { files: [{ path: 'a' }, { path: 'a' }] }, 'files[1].path: is there twice'],
    [
      'a rename without its old path',
      { files: [{ path: 'a', status: 'renamed' }] },
      'files[0].previous_path: is missing: the file is renamed',
    ],
    [
      'lines backwards',
      { files: [{ path: 'a', lines: [[5, 3]] }] },
      'files[0].lines[0]: must be a first and a last line; [n + 1, n] is an insertion after line n',
    ],
    [
      'a short id',
      { head_sha: 'abc', files: [] },
      'head_sha: must be the whole id of a commit: 40 or 64 hexadecimal digits',
    ],
    [
      'too small a total',
      { files: [{ path: 'a' }], files_total: 0 },
      'files_total: must not be less than the files that are sent',
    ],
    ['a long path', { files: [{ path: 'é'.repeat(513) }] }, 'files[0].path: must have at most 1024 bytes'],
    [
      'no path of the repository',
      { files: [{ path: '../a' }] },
      'files[0].path: must be a path from the top of the repository, without empty segments, "." and ".."',
    ],
  ])('are refused for %s', (_, changes, fault) => expect(faultsOf(ChangesInput, changes)).toEqual([fault]))

  it('may be of a path of 1,024 bytes, with an insertion, or as a whole', () => {
    const files = [{ path: 'é'.repeat(512), lines: [[4, 3]] }, { path: 'a\nb', lines: [] }, { path: 'c' }]
    expect(ChangesInput.parse({ files }).files.map(({ lines }) => lines)).toEqual([[[4, 3]], [], null])
  })
})
