import type { PullRequestFacts } from '../../src/service/observed/pull-requests/pull-request.ts'

/** The facts of an open pull request of `alice`, on a branch of repository 1. */
export function pullRequestFacts(changes: Partial<PullRequestFacts> = {}): PullRequestFacts {
  return {
    number: 12,
    state: 'open',
    title: 'Rework the login',
    draft: false,
    headSha: 'a'.repeat(40),
    headRef: 'login',
    headRepositoryId: 1n,
    headOwner: 'acme',
    baseRef: 'main',
    author: { id: 7n, login: 'alice' },
    authorAssociation: 'MEMBER',
    openedAt: new Date('2026-11-18T08:00:00Z'),
    updatedAt: new Date('2026-11-19T08:00:00Z'),
    endedAt: null,
    issues: [],
    ...changes,
  }
}
