import { describe, expect, it } from 'vitest'
import { readStatus } from '../../../../src/cli/git/git-status.ts'

describe('the output of git status', () => {
  it('is parsed with every kind of entry', () => {
    const entries = [
      '# branch.oid abc',
      '# branch.head feat/a b',
      '1 .M N... 100644 100644 100644 a a with space.ts',
      '2 R. N... 100644 100644 100644 a a R100 new.ts',
      'old.ts',
      'u UU N... 100644 100644 100644 100644 a b c both.ts',
      '? new file.ts',
    ]
    expect(readStatus(`${entries.join('\0')}\0`)).toEqual({
      branch: 'feat/a b',
      head: 'abc',
      paths: ['with space.ts', 'new.ts', 'old.ts', 'both.ts', 'new file.ts'],
      untracked: ['new file.ts'],
    })
  })

  it('has no commit in a new repository', () => {
    expect(readStatus('# branch.oid (initial)\0# branch.head main\0')).toMatchObject({ branch: 'main', head: null })
  })
})
