import { covers } from './installed.ts'
import { kindOf } from './token-kind.ts'
import { findAccount, type Grants, type Repository, type Role, type Token, type World } from './world.ts'

const ranks: readonly Role[] = ['read', 'triage', 'write', 'maintain', 'admin']

function atLeast(role: Role | null, least: Role): boolean {
  return role !== null && ranks.indexOf(role) >= ranks.indexOf(least)
}

function roleOf(login: string | null, repository: Repository): Role | null {
  const given = login === null ? undefined : repository.roles.get(login)
  if (given !== undefined) return given
  if (login !== null && login.toLowerCase() === repository.owner.toLowerCase()) return 'admin'
  return repository.private ? null : 'read'
}

function isChosen({ repositories }: Token, repository: Repository): boolean {
  return repositories === null || repositories.includes(repository.id)
}

/** Whether its installation still lets an installation token at the repository. */
function isInstalled(world: World, token: Token, repository: Repository): boolean {
  const installation = token.installationId === null ? undefined : world.installations.get(token.installationId)
  return installation !== undefined && installation.suspendedAt === null && covers(installation, repository)
}

/** What GitHub shows of everything it shows: a token that may not see it gets 404. */
export function maySee(world: World, token: Token | null, repository: Repository): boolean {
  if (!repository.private) return true
  if (token === null || !isChosen(token, repository)) return false
  if (token.login === null) return isInstalled(world, token, repository)
  return atLeast(roleOf(token.login, repository), 'read')
}

/** Whether a token that may see the repository may do this with that resource (`contents`, `pull_requests`, …). */
export function mayUse(
  world: World,
  token: Token | null,
  repository: Repository,
  resource: string,
  need: 'read' | 'write',
): boolean {
  if (token === null) return need === 'read' && !repository.private
  // Everyone may read what is public, a token for nothing included.
  if (need === 'read' && !repository.private) return true
  if (!grantsAllow(token.grants, resource, need) || !isChosen(token, repository)) return false
  if (token.login === null) return isInstalled(world, token, repository)
  return atLeast(roleOf(token.login, repository), need === 'write' ? 'write' : 'read')
}

function grantsAllow(grants: Grants | null, resource: string, need: 'read' | 'write'): boolean {
  if (grants === null) return true
  const granted = grants[resource] ?? (resource === 'metadata' ? 'read' : undefined)
  return granted === 'write' || (granted === 'read' && need === 'read')
}

/** `permissions` of a repository, as GitHub shows them to this token; undefined to nobody. */
export function shownPermissions(token: Token | null, repository: Repository) {
  if (token === null) return undefined
  const role = token.shows === 'role' ? roleOf(token.login, repository) : null
  return {
    admin: atLeast(role, 'admin'),
    maintain: atLeast(role, 'maintain'),
    push: atLeast(role, 'write'),
    triage: atLeast(role, 'triage'),
    pull: atLeast(role, 'read'),
  }
}

/** Whether the owner wants single sign-on that this token was not authorized for. */
export function lacksSingleSignOn(world: World, token: Token | null, repository: Repository): boolean {
  if (token === null || !findAccount(world, repository.owner)?.sso) return false
  if (!['classic', 'oauth'].includes(kindOf(token.token))) return false
  return !token.ssoAuthorized.has(repository.owner.toLowerCase())
}
