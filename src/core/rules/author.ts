/** Authors with such an association to the repository belong to the project. */
const ofProject: readonly string[] = ['OWNER', 'MEMBER', 'COLLABORATOR']

/** What decides whether work is of somebody outside of the project. */
export interface AuthoredWork {
  source: string
  pull: PullAuthor | null
}

export interface PullAuthor {
  /** GitHub's `author_association`. */
  association: string
  /** Whether its head branch is of another repository. */
  is_fork: boolean
}

/**
 * Whether the work is a pull request of a stranger: from a fork of a public repository, by somebody outside of the project
 * (docs/rules.md#strangers). It comes after the work of members. Recorded work and a pushed branch are of somebody who may write in
 * the repository, and so is the head of a pull request in the repository itself.
 */
export function isStranger({ source, pull }: AuthoredWork, isPublic: boolean): boolean {
  if (!isPublic || source !== 'pull_request' || !pull?.is_fork) return false
  return !ofProject.includes(pull.association)
}

/** `isStranger` for a row of `pull_requests`, in a public repository, in SQL. */
export function ofStrangerSql(pull: string): string {
  const list = ofProject.map((association) => `'${association}'`).join(', ')
  return `(${pull}.head_repository_id is distinct from ${pull}.repository_id and ${pull}.author_association not in (${list}))`
}

/**
 * Whether no text may contain the author's own wording (docs/rules.md#strangers-words): wherever the head of a pull request is,
 * anybody may have worded its title.
 */
export function hidesWords({ source, pull }: AuthoredWork): boolean {
  return source === 'pull_request' && (pull === null || !ofProject.includes(pull.association))
}

/** A repository of which it is not known counts as public. */
export function countsAsPublic({ isPublic = true }: { isPublic?: boolean }): boolean {
  return isPublic
}
