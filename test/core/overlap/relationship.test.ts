import { describe, expect, it } from 'vitest'
import { expectedAs, type Party, stacksIn } from '../../../src/core/overlap/relationship.ts'

const recorded = (given: Partial<Party>): Party => {
  const nothing = { branch: null, base_branch: null, number: null, login: null, pull: null, commits: [] }
  return { ...nothing, isPullRequest: false, ...given }
}

/** A pull request of alice: from a branch of the repository, or from a fork. */
const pull = (number: number, { head = 'h1', branch = 'login', isFork = false, ...given }: Given): Party => ({
  ...recorded({ number, login: 'alice', base_branch: 'main', ...given }),
  isPullRequest: true,
  branch: isFork ? `alice:${branch}` : branch,
  pull: { headSha: head, headBranch: branch, isFork, login: given.login === undefined ? 'alice' : given.login },
})
type Given = Partial<Party> & { head?: string; isFork?: boolean; branch?: string }

/** What both sides get; `others` is further live work. */
function relationship(one: Party, other: Party, others: Party[] = []) {
  const stackOf = stacksIn([one, other, ...others], 'main')
  const found = expectedAs(one, other, stackOf(one), 'main')
  expect(expectedAs(other, one, stackOf(other), 'main')).toBe(found)
  return found
}

describe('§5 own', () => {
  it.each<[string, Party, Party, 'own' | null]>([
    ['one branch', recorded({ branch: 'login' }), recorded({ branch: 'login' }), 'own'],
    [
      'one branch of one account',
      recorded({ branch: 'login', login: 'alice' }),
      recorded({ branch: 'login', login: 'Alice' }),
      'own',
    ],
    [
      'one branch, but two accounts',
      recorded({ branch: 'login', login: 'alice' }),
      recorded({ branch: 'login', login: 'bob' }),
      null,
    ],
    ['one number', recorded({ number: 7 }), recorded({ number: 7, branch: 'x' }), 'own'],
    [
      'one number, but two accounts',
      recorded({ number: 7, login: 'alice' }),
      recorded({ number: 7, login: 'bob' }),
      null,
    ],
    ['the default branch', recorded({ branch: 'main' }), recorded({ branch: 'main' }), null],
    ['both name no branch', recorded({ login: 'alice' }), recorded({ login: 'alice' }), null],
    ['the pull request that is named', recorded({ number: 7, login: 'bob' }), pull(7, {}), 'own'],
    ['the pull request of this branch', recorded({ branch: 'login', login: 'bob' }), pull(7, {}), 'own'],
    [
      'the same name in a fork of somebody',
      recorded({ branch: 'login', login: 'bob' }),
      pull(7, { isFork: true }),
      null,
    ],
    ['the same name in one’s fork', recorded({ branch: 'login', login: 'alice' }), pull(7, { isFork: true }), 'own'],
    [
      'the default branch in one’s fork',
      recorded({ branch: 'main', login: 'alice' }),
      pull(7, { isFork: true, branch: 'main' }),
      null,
    ],
    ['one’s pull request among one’s commits', recorded({ commits: ['h1'], login: 'alice' }), pull(7, {}), 'own'],
    ['two pull requests of one branch', pull(7, {}), pull(8, { base_branch: 'v1' }), 'own'],
  ])('%s', (_, one, other, expected) => {
    expect(relationship(one, other)).toBe(expected)
  })
})

describe('§5 stacked', () => {
  const on = (branch: string, base_branch: string | null) => recorded({ branch, base_branch })
  it('is an ancestor or a descendant, through work that is not compared', () => {
    expect(relationship(on('b', 'a'), on('a', 'main'))).toBe('stacked')
    expect(relationship(on('c', 'b'), on('a', 'main'), [on('b', 'a')])).toBe('stacked')
  })

  it('never links by the default branch, nor up and then down', () => {
    expect(relationship(on('a', 'main'), on('b', 'main'))).toBeNull()
    expect(relationship(on('b', 'a'), on('c', 'a'), [on('a', 'main')])).toBeNull()
  })

  it('does not take a branch that names no base: that is a target', () => {
    expect(relationship(on('b', 'a'), on('a', null))).toBeNull()
    expect(relationship(on('c', 'b'), on('a', 'main'), [on('b', null)])).toBeNull()
  })

  it('ends where branches lie on each other in a ring', () => {
    expect(relationship(on('a', 'b'), on('c', 'a'), [on('b', 'c')])).toBe('stacked')
  })

  it('is the head of somebody’s pull request among the commits, whatever the branch is called', () => {
    expect(relationship(recorded({ branch: 'mine', login: 'bob', commits: ['h1'] }), pull(7, {}))).toBe('stacked')
    expect(relationship(pull(8, { branch: 'more', login: 'bob', commits: ['h1'] }), pull(7, {}))).toBe('stacked')
  })
})
