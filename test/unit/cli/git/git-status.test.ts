import { describe, expect, it } from 'vitest'
import { readStatus } from '../../../../src/cli/git/git-status.ts'

describe('the output of git status', () => {
  it('is parsed with every kind of entry', () => {
    const entries = [
      '# branch.oid abc',
      '# branch.head feat/a b',
      '1 .M N... 100644 100644 100644 a a with space.ts',
      '1 .M SCMU 160000 160000 160000 a a libs/sub',
      'u UU N... 100644 100644 100644 100644 a b c both.ts',
      '? new file.ts',
      '? nested/',
    ]
    expect(readStatus(`${entries.join('\0')}\0`)).toEqual({
      branch: 'feat/a b',
      head: 'abc',
      uncommitted: [
        { path: 'with space.ts', isUntracked: false, isRepository: false },
        { path: 'libs/sub', isUntracked: false, isRepository: true },
        { path: 'both.ts', isUntracked: false, isRepository: false },
        { path: 'new file.ts', isUntracked: true, isRepository: false },
        { path: 'nested/', isUntracked: true, isRepository: true },
      ],
    })
  })

  it('has no commit in a new repository', () => {
    expect(readStatus('# branch.oid (initial)\0# branch.head main\0')).toMatchObject({ branch: 'main', head: null })
  })
})
