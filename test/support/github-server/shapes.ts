import type { CheckRun, GithubData, Installation, Pull, Repository } from './data.ts'

/** GitHub's answers, with the fields that somebody reads. */

export function fullName({ owner, name }: Pick<Repository, 'owner' | 'name'>): string {
  return `${owner}/${name}`
}

export function repositoryShape(repository: Repository) {
  const { id, owner, name, isPrivate, defaultBranch } = repository
  return {
    ...{ id, name, full_name: fullName(repository), private: isPrivate, fork: repository.parent !== null },
    ...{ visibility: isPrivate ? 'private' : 'public', default_branch: defaultBranch },
    owner: { login: owner, id: 1, type: 'Organization' },
  }
}

export function pullShape(data: GithubData, repository: Repository, pull: Pull, web: string) {
  const { number, title, body, author, head } = pull
  const fork = data.repositories.find(({ id }) => id === head.repositoryId)
  return {
    ...{ id: number, number, title, body, state: pull.state, draft: pull.isDraft, merged: pull.mergedAt !== null },
    user: { login: author, id: 2, type: 'User' },
    author_association: pull.association,
    html_url: `${web}/${fullName(repository)}/pull/${number}`,
    ...{ created_at: seconds(pull.openedAt), updated_at: seconds(pull.updatedAt) },
    ...{ closed_at: pull.closedAt && seconds(pull.closedAt), merged_at: pull.mergedAt && seconds(pull.mergedAt) },
    head: {
      ...{ label: `${head.owner}:${head.branch}`, ref: head.branch, sha: head.sha },
      user: head.owner && { login: head.owner, id: 3, type: 'User' },
      repo: fork ? repositoryShape(fork) : head.repositoryId === null ? null : { id: head.repositoryId },
    },
    base: { ref: pull.base, sha: '0'.repeat(40), repo: repositoryShape(repository) },
  }
}

export function commitShape({ sha, committedAt }: Pull['commits'][number]) {
  const by = { name: 'somebody', email: 'somebody@example.com', date: seconds(committedAt) }
  return { sha, commit: { message: 'Work', author: by, committer: by } }
}

export function installationShape({ id, account, permissions, isSuspended }: Installation, web: string) {
  const suspended_at = isSuspended ? '2026-01-01T00:00:00Z' : null
  const html_url = `${web}/organizations/${account}/settings/installations/${id}`
  return { id, app_id: 1, account: { login: account, id: 1 }, permissions, suspended_at, html_url }
}

export function checkRunShape({ output, ...run }: CheckRun) {
  return { ...run, output: { ...output, text: null, annotations_count: 0 } }
}

/** GitHub's times are whole seconds. */
export function seconds(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`
}
