import { findRepository, type GithubData, nameKey, type Repository } from './data.ts'
import { installationOf } from './installation-of.ts'
import { lacksSingleSignOn, maySee } from './permissions.ts'
import {
  type Call,
  failure,
  matchRoute,
  needsJsonWebToken,
  notFound,
  type Reply,
  type RepositoryRoute,
} from './route.ts'

/** `rest` is the path after the repository, with its slash. */
export interface RepositoryPath {
  owner: string | null
  name: string | null
  id: number | null
  rest: string
}

export function readRepositoryPath(path: string): RepositoryPath | null {
  const named = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(path)
  if (named) {
    const [, owner = '', name = '', rest = ''] = named
    return { owner: decodeURIComponent(owner), name: decodeURIComponent(name), id: null, rest }
  }
  const numbered = /^\/repositories\/(\d+)(\/.*)?$/.exec(path)
  return numbered && { owner: null, name: null, id: Number(numbered[1]), rest: numbered[2] ?? '' }
}

/** Checks in GitHub's order: unknown route, invisible, moved, single sign-on. Then it calls the route. */
export function answerRepositoryPath(call: Call, path: RepositoryPath, routes: readonly RepositoryRoute[]): Reply {
  const { data, token } = call
  const matched = matchRoute(routes, call.method, path.rest)
  const { repository, moved } = find(data, path)
  if (matched === null || repository === undefined) return notFound()
  const isVisible = call.isApp ? installationOf(data, repository) !== undefined : maySee(data, token, repository)
  if (!isVisible) return notFound()
  if (moved) return movedTo(call, repository, path.rest)
  if (lacksSingleSignOn(data, token, repository)) return ssoRequired(call, repository)
  if (call.isApp !== (matched.route.by === 'app')) return needsJsonWebToken()
  return matched.route.handle({ ...call, params: matched.params }, repository)
}

function find(data: GithubData, path: RepositoryPath): { repository: Repository | undefined; moved: boolean } {
  if (path.id !== null) return { repository: data.repositories.get(path.id), moved: false }
  const { owner, name } = path
  if (owner === null || name === null) return { repository: undefined, moved: false }
  // A new repository with an old name ends the redirect.
  const current = findRepository(data, owner, name)
  if (current !== undefined) return { repository: current, moved: false }
  const id = data.formerNames.get(nameKey(owner, name))
  return { repository: id === undefined ? undefined : data.repositories.get(id), moved: true }
}

function movedTo({ links, method, url }: Call, { id }: Repository, rest: string): Reply {
  const location = `${links.api}/repositories/${id}${rest}${url.search}`
  const body = { message: 'Moved Permanently', url: location, documentation_url: 'https://docs.github.com/rest' }
  return { status: method === 'GET' ? 301 : 307, headers: { location }, body }
}

function ssoRequired({ links }: Call, { owner }: Repository): Reply {
  const url = `${links.web}/orgs/${owner}/sso?authorization_request=ABC`
  const message =
    'Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.'
  return failure(403, message, { 'x-github-sso': `required; url=${url}` })
}
