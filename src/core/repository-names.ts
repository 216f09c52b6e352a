const ownerPattern = /^[A-Za-z0-9_-]{1,100}$/
const repoPattern = /^[A-Za-z0-9._-]{1,100}$/

/**
 * Whether a repository can have this name. Checked before every call to GitHub: with `..` in the path the call would
 * become `GET /repos/../user` (docs/rules.md#repository-names).
 */
export function isRepositoryName(owner: string, repo: string): boolean {
  return ownerPattern.test(owner) && repoPattern.test(repo) && repo !== '.' && repo !== '..'
}

/** The names in a `full_name` of GitHub; null for anything else. */
export function namesOfFullName(fullName: string): { owner: string; name: string } | null {
  const [owner = '', name = '', ...rest] = fullName.split('/')
  return rest.length === 0 && isRepositoryName(owner, name) ? { owner, name } : null
}

/** GitHub compares owner and name without case (docs/rules.md#repository-names). */
export function repositoryNameKey(owner: string, repo: string): string {
  return `${owner}/${repo}`.toLowerCase()
}
