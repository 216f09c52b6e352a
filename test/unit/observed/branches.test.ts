import { describe, expect, it } from 'vitest'
import type { FileChange } from '../../../src/core/changes/file-change.ts'
import { branchColumns } from '../../../src/service/observed/branches/branch-columns.ts'
import { branchExpiry, isObservedHead } from '../../../src/service/observed/branches/pushed-branch.ts'
import { isObservedBranch } from '../../../src/service/observed/is-observed.ts'
import { builtInSettings, type Settings } from '../../../src/service/records/settings/schema.ts'

const change = (path: string): FileChange => ({ path, previous_path: null, status: 'modified', lines: [[1, 1]] })
const pushed = { branch: 'fix/login', pusher_login: 'bob', pusher_id: 7n }
const on: Settings = { ...builtInSettings, observe: ['pull_requests', 'branches'] }

describe('the record of a pushed branch', () => {
  it('has the name of the branch as its title, cut at 200 characters', () => {
    const compared = { baseBranch: 'main', files: [change('a.ts')] }
    expect(branchColumns(pushed, compared)).toEqual({
      ...{ title: 'fix/login', summary: 'Pushed branch: 1 file', actor: 'bob', agent: null, branch: 'fix/login' },
      ...{ base_branch: 'main', paths: ['a.ts'], author_login: 'bob', author_id: 7n },
    })
    const long = '𝒷'.repeat(201)
    expect(branchColumns({ ...pushed, branch: long }, compared)).toMatchObject({ title: '𝒷'.repeat(200), branch: long })
  })

  it.each([
    [0, 'Pushed branch: 0 files'],
    [299, 'Pushed branch: 299 files'],
    [300, 'Pushed branch: 300 files or more'],
  ])('with %s files says so', (count, summary) => {
    const files = Array.from({ length: count }, (_, n) => change(`${n}.ts`))
    expect(branchColumns(pushed, { baseBranch: 'main', files })).toMatchObject({ summary })
  })

  it('without an account is that of ghost', () => {
    const nobody = { ...pushed, pusher_login: null, pusher_id: null }
    expect(branchColumns(nobody, { baseBranch: 'main', files: [] })).toMatchObject({
      ...{ actor: 'ghost', agent: null, author_login: null, author_id: null },
    })
  })
})

it.each([
  [null, 1, false],
  [0, 1, false],
  [1, 1, true],
  [50, 1, true],
  [51, 1, false],
  [2, 0, false],
])('a branch that is %s commits ahead and changes %s files is observed: %s', (aheadBy, count, isObserved) => {
  expect(isObservedHead({ aheadBy, files: Array.from({ length: count }, () => change('src/a.ts')) })).toBe(isObserved)
})

it('a branch ends a fixed time after its last push, and no earlier than it did', () => {
  const at = new Date('2026-11-20T09:30:00Z')
  const later = new Date('2026-11-20T09:31:00Z')
  expect(branchExpiry(at, 60_000)).toEqual(later)
  expect(branchExpiry(at, 1_000, later)).toEqual(later)
  expect(branchExpiry(later, 60_000, later)).toEqual(new Date('2026-11-20T09:32:00Z'))
})

describe('the settings let a branch be observed', () => {
  const feat = { branch: 'feat', defaultBranch: 'main' }

  it('only with pull requests and branches', () => {
    expect(isObservedBranch(feat, on)).toBe(true)
    expect(isObservedBranch(feat, builtInSettings)).toBe(false)
    expect(isObservedBranch(feat, { ...on, observe: ['branches'] })).toBe(false)
    expect(isObservedBranch(feat, { ...on, enabled: false })).toBe(false)
  })

  it('but neither the default branch nor an ignored one', () => {
    expect(isObservedBranch({ branch: 'main', defaultBranch: 'main' }, on)).toBe(false)
    expect(isObservedBranch({ branch: 'gh-readonly-queue/main/pr-1', defaultBranch: 'main' }, on)).toBe(false)
    expect(isObservedBranch(feat, { ...on, ignored_branches: ['feat'] })).toBe(false)
  })
})
