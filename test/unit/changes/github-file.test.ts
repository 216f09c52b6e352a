import { describe, expect, it } from 'vitest'
import { type GitHubFile, githubFileChange } from '../../../src/core/changes/github-file.ts'

const patch = '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c'
const file: GitHubFile = { filename: 'src/a.ts', status: 'modified', additions: 1, deletions: 1, patch }

describe('a file of a pull request', () => {
  it('has the changed lines of its patch', () => {
    const change = { path: 'src/a.ts', previous_path: null, status: 'modified', lines: [[2, 2]] }
    expect(githubFileChange(file)).toEqual(change)
  })

  it.each([
    ['is binary', { patch: undefined, additions: 0, deletions: 0 }],
    ['has no patch, since it is too large', { patch: undefined, additions: 9000 }],
    ['has a patch that lacks whole hunks', { additions: 2 }],
    ['has a patch that lacks removed lines', { deletions: 2 }],
  ])('has no known lines where it %s', (_, more) => {
    expect(githubFileChange({ ...file, ...more }).lines).toBeNull()
  })

  it.each([
    ['added', 'added', [[0, 1]]],
    ['copied', 'added', [[0, 1]]],
    ['changed', 'modified', null],
    ['a word of the future', 'modified', null],
  ])('that is %s, without a patch, is %s', (status, as, lines) => {
    const change = githubFileChange({ ...file, status, patch: undefined, previous_filename: 'src/old.ts' })
    expect(change).toEqual({ path: 'src/a.ts', previous_path: null, status: as, lines })
  })

  it.each(['added', 'copied', 'modified', 'changed', 'renamed'])(
    'that is %s has the blob that GitHub names',
    (status) => {
      const sha = '0123456789'.repeat(4)
      expect(githubFileChange({ ...file, status, sha, previous_filename: 'src/old.ts' }).blob).toBe(sha)
      expect(githubFileChange({ ...file, status }).blob).toBeUndefined()
    },
  )

  it('that is removed has no blob, though GitHub names the one that it had', () => {
    expect(githubFileChange({ ...file, status: 'removed', sha: '0123456789'.repeat(4) }).blob).toBeNull()
  })

  it('keeps the old name of a rename, with the lines of the old side', () => {
    const change = githubFileChange({ ...file, status: 'renamed', previous_filename: 'src/old.ts' })
    expect(change).toEqual({ path: 'src/a.ts', previous_path: 'src/old.ts', status: 'renamed', lines: [[2, 2]] })
  })
})
