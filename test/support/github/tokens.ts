import { randomBytes } from 'node:crypto'
import { addAccount } from './declare.ts'
import { hourMs } from './limits.ts'
import { isGranted } from './token-kind.ts'
import type { Installation, Token, World } from './world.ts'

/**
 * What the token begins with says what it is: `ghp_` and `gho_` may do what their user may; `github_pat_` and `ghu_` what
 * `facts` grant, nothing else. Those of installations are made by `addInstallationToken`.
 */
export function addToken(world: World, token: string, login: string | null, facts: Partial<Token> = {}): Token {
  if (login !== null) addAccount(world, login)
  const made: Token = {
    token,
    login,
    repositories: null,
    grants: isGranted(token) ? {} : null,
    shows: 'role',
    ssoAuthorized: new Set(),
    installationId: null,
    expiresAt: null,
    limit: { limit: 5_000, used: 0, resetsAt: world.now() + hourMs },
    ...facts,
  }
  world.tokens.set(token, made)
  return made
}

/** May do what its installation may, unless `facts` say otherwise; with its `permissions` shown as GitHub shows them. */
export function addInstallationToken(
  world: World,
  { id, permissions }: Installation,
  facts: Partial<Token> = {},
): Token {
  return addToken(world, `ghs_${randomBytes(18).toString('hex')}`, null, {
    grants: permissions,
    shows: 'nothing',
    installationId: id,
    expiresAt: world.now() + hourMs,
    ...facts,
  })
}
