import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { issueFromBranch } from '../../../../src/cli/git/issue-from-branch.ts'

const branches: [branch: string, issue: number | null][] = [
  ['issue-42', 42],
  ['gh-42', 42],
  ['GH-42', 42],
  ['fix/issue-42', 42],
  ['fix-issue-42', 42],
  ['issue-42-login', 42],
  ['claude/issue-42-20261128-0415', 42],
  ['issues/42', 42],
  ['alice/issues/42', 42],
  ['issues/42-login', 42],
  ['42-login', 42],
  ['alice/42-sort-the-list', 42],
  ['42-ä', 42],
  ['gh-2147483647', 2_147_483_647],
  ['gh-2147483648', null],
  ['main', null],
  ['42', null],
  ['42-', null],
  ['login-42', null],
  ['042-login', null],
  ['issue-0', null],
  ['tissue-42', null],
  ['issue-42a', null],
  ['issue-42/login', null],
  ['issues/42/login', null],
  ['2026-11-28-login', null],
  ['20261128-login', null],
  ['2026-11', null],
  ['release/2026-11-28', null],
  ['v2-login', null],
  ['1.2.3', null],
  ['1.2-login', null],
  ['7-0-stable', null],
  ['4-stable', null],
  ['18-lts', null],
  ['gh-4.x', null],
  ['4-x', null],
  ['2026-Release', null],
  ['dependabot/npm_and_yarn/undici-6.21.1', null],
  ['gh/alice/42/head', null],
]

describe('the issue that a branch names', () => {
  it.each(branches)('%s: %s', (branch, issue) => {
    expect(issueFromBranch(branch)).toBe(issue)
  })

  it('is a number from 1 to 2³¹−1, or none, whatever the name', () => {
    const part = fc.constantFrom('issue-', 'issues/', 'gh-', '4', '2026', '0', '-', '/', 'x', '.x', 'lts', '_', 'é')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(part).map((parts) => parts.join('')),
          fc.string(),
        ),
        (branch) => {
          const issue = issueFromBranch(branch)
          expect(issue === null || (Number.isInteger(issue) && issue >= 1 && issue < 2 ** 31)).toBe(true)
        },
      ),
    )
  })
})
