import { findAccount, type GithubData, type Grants, type Repository, type Role, type Token } from './data.ts'
import { covers } from './installation-of.ts'
import { kindOf } from './token-kind.ts'

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

/** Whether the installation of a token covers the repository and is not suspended. */
function isInstalled(data: GithubData, token: Token, repository: Repository): boolean {
  const installation = token.installationId === null ? undefined : data.installations.get(token.installationId)
  return installation !== undefined && installation.suspendedAt === null && covers(installation, repository)
}

/** Whether a token can see the repository. If not, GitHub responds with 404. */
export function maySee(data: GithubData, token: Token | null, repository: Repository): boolean {
  if (!repository.private) return true
  if (token === null || !isChosen(token, repository)) return false
  if (token.login === null) return isInstalled(data, token, repository)
  return atLeast(roleOf(token.login, repository), 'read')
}

/** Whether a token that can see the repository may read or write a resource (`contents`, `pull_requests`, …). */
export function mayUse(
  data: GithubData,
  token: Token | null,
  repository: Repository,
  resource: string,
  need: 'read' | 'write',
): boolean {
  if (token === null) return need === 'read' && !repository.private
  // Anyone may read a public repository, also with a token without permissions.
  if (need === 'read' && !repository.private) return true
  if (!grantsAllow(token.grants, resource, need) || !isChosen(token, repository)) return false
  if (token.login === null) return isInstalled(data, token, repository)
  return atLeast(roleOf(token.login, repository), need === 'write' ? 'write' : 'read')
}

function grantsAllow(grants: Grants | null, resource: string, need: 'read' | 'write'): boolean {
  if (grants === null) return true
  const granted = grants[resource] ?? (resource === 'metadata' ? 'read' : undefined)
  return granted === 'write' || (granted === 'read' && need === 'read')
}

/** The `permissions` of a repository as this token sees them; undefined without a token. */
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

/** Whether the owner requires single sign-on that this token is not authorized for. */
export function lacksSingleSignOn(data: GithubData, token: Token | null, repository: Repository): boolean {
  if (token === null || !findAccount(data, repository.owner)?.sso) return false
  if (!['classic', 'oauth'].includes(kindOf(token.token))) return false
  return !token.ssoAuthorized.has(repository.owner.toLowerCase())
}
