const ownerPattern = /^[A-Za-z0-9_-]{1,100}$/
const repoPattern = /^[A-Za-z0-9._-]{1,100}$/
const tokenPattern = /^[\x21-\x7e]{1,8192}$/

/**
 * Whether a repository can have this name. Checked before every call to GitHub: with `..` in the path the call would
 * become `GET /repos/../user` (docs/rules.md#repository-names).
 */
export function isRepositoryName(owner: string, repo: string): boolean {
  return ownerPattern.test(owner) && repoPattern.test(repo) && repo !== '.' && repo !== '..'
}

/** The names in a `full_name` of GitHub; null for anything else. */
export function namesIn(fullName: string): { owner: string; name: string } | null {
  const [owner = '', name = '', ...rest] = fullName.split('/')
  return rest.length === 0 && isRepositoryName(owner, name) ? { owner, name } : null
}

/** GitHub compares owner and name without case (docs/rules.md#repository-names). */
export function repositoryNameKey(owner: string, repo: string): string {
  return `${owner}/${repo}`.toLowerCase()
}

/**
 * Whether a token fits into a header: visible ASCII, at most 8 KiB. GitHub may change its tokens' length and alphabet
 * within these bounds (docs/rules.md#user-tokens).
 */
export function canBeToken(token: string): boolean {
  return tokenPattern.test(token)
}

/**
 * Whether GitHub may respond with `push` false although the token may write. This is so for installation tokens and
 * fine-grained personal tokens; their writes need the write probe (docs/rules.md#write-probe).
 */
export function showsPermissionsWrong(token: string): boolean {
  return token.startsWith('ghs_') || token.startsWith('github_pat_')
}
