import { randomBytes } from 'node:crypto'
import { addAccount } from './build-data.ts'
import type { GithubData, Installation, Token } from './data.ts'
import { hourMs } from './limits.ts'
import { isGranted } from './token-kind.ts'

/**
 * Adds a token. Its prefix is its kind: `ghp_` and `gho_` may do what their user may, `github_pat_` and `ghu_` only what
 * `facts` grant. For tokens of installations see `addInstallationToken`.
 */
export function addToken(data: GithubData, token: string, login: string | null, facts: Partial<Token> = {}): Token {
  if (login !== null) addAccount(data, login)
  const made: Token = {
    token,
    login,
    repositories: null,
    grants: isGranted(token) ? {} : null,
    shows: 'role',
    ssoAuthorized: new Set(),
    installationId: null,
    expiresAt: null,
    limit: { limit: 5_000, used: 0, resetsAt: data.now() + hourMs },
    ...facts,
  }
  data.tokens.set(token, made)
  return made
}

/** Adds a token with the permissions of its installation, unless `facts` say otherwise. */
export function addInstallationToken(
  data: GithubData,
  { id, permissions }: Installation,
  facts: Partial<Token> = {},
): Token {
  return addToken(data, `ghs_${randomBytes(18).toString('hex')}`, null, {
    grants: permissions,
    shows: 'nothing',
    installationId: id,
    expiresAt: data.now() + hourMs,
    ...facts,
  })
}
