const ownerPattern = /^[A-Za-z0-9_-]{1,100}$/
const repoPattern = /^[A-Za-z0-9._-]{1,100}$/
const tokenPattern = /^[\x21-\x7e]{1,8192}$/

/**
 * Whether a repository of this name can exist (decisions §7). Asked before every question to GitHub: `..` in the path
 * would make `GET /repos/../user` of it.
 */
export function isRepositoryName(owner: string, repo: string): boolean {
  return ownerPattern.test(owner) && repoPattern.test(repo) && repo !== '.' && repo !== '..'
}

/** GitHub compares owner and name without regard to case (decisions §7). */
export function repositoryNameKey(owner: string, repo: string): string {
  return `${owner}/${repo}`.toLowerCase()
}

/**
 * Whether a token can stand in a header at all: visible ASCII, and no longer than the 8 KiB header line that web servers
 * take. Says nothing about its length or alphabet beyond that, which are GitHub's to change (decisions §7).
 */
export function canBeToken(token: string): boolean {
  return tokenPattern.test(token)
}

/**
 * Installation tokens get `permissions` all false from GitHub however much they may do, and fine-grained personal ones
 * have been seen wrong; where such a token shows `push` false, GitHub has to be asked in another way (decisions §7).
 */
export function showsPermissionsWrong(token: string): boolean {
  return token.startsWith('ghs_') || token.startsWith('github_pat_')
}
