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

/** GitHub compares owner and name without case (docs/rules.md#repository-names). */
export function repositoryNameKey(owner: string, repo: string): string {
  return `${owner}/${repo}`.toLowerCase()
}

/**
 * Whether a token can stand in a header: visible ASCII, at most the 8 KiB of a header line that web servers take. Its
 * length and alphabet are otherwise GitHub's to change (docs/rules.md#user-tokens).
 */
export function canBeToken(token: string): boolean {
  return tokenPattern.test(token)
}

/**
 * Whether GitHub may show this token `push` false although it may write: installation tokens and fine-grained personal
 * tokens. A write with one of them needs the write probe (docs/rules.md#write-probe).
 */
export function showsPermissionsWrong(token: string): boolean {
  return token.startsWith('ghs_') || token.startsWith('github_pat_')
}
