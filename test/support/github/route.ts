import type { IncomingHttpHeaders } from 'node:http'
import type { Hook } from './hook.ts'
import type { Links } from './shapes/account.ts'
import { kindOf } from './token-kind.ts'
import type { Repository, Token, World } from './world.ts'

export interface Call {
  world: World
  links: Links
  hook: Hook
  method: string
  url: URL
  headers: IncomingHttpHeaders
  /** What was sent as JSON, else undefined. */
  body: unknown
  /** The values in the path, decoded. */
  params: Readonly<Record<string, string>>
  /** Null for a call without a token. */
  token: Token | null
  /** The App itself asks, with a JSON web token of its own. */
  isApp: boolean
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  /** Sent as JSON; undefined is an empty body. */
  body?: unknown
  /** Sent as it is, instead of `body`. */
  text?: string
}

export interface Route {
  method: string
  /** As GitHub's description has it: `/app/hook/deliveries/{delivery_id}`. */
  path: string
  /** Whom alone it answers. */
  by?: 'app' | 'installation'
  handle(call: Call): Reply
}

/** Its path goes on after `/repos/{owner}/{repo}`; asked only for repositories that the token may see. */
export interface RepositoryRoute {
  method: string
  path: string
  by?: 'app'
  handle(call: Call, repository: Repository): Reply
}

const documentation = 'https://docs.github.com/rest'

export function failure(status: number, message: string, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: { message, documentation_url: documentation, status: String(status) } }
}

export const notFound = (): Reply => failure(404, 'Not Found')
export const badCredentials = (): Reply => failure(401, 'Bad credentials')

export const needsJsonWebToken = (): Reply => failure(401, 'A JSON web token could not be decoded')

export function notAccessible(token: Token | null): Reply {
  const isOfApp = ['installation', 'app-user'].includes(kindOf(token?.token))
  const by = isOfApp ? 'integration' : 'personal access token'
  return failure(403, `Resource not accessible by ${by}`)
}

export function invalid(message: string): Reply {
  return failure(422, message)
}

/** The values that `path` has where `template` has names; null if it isn't such a path. A `{+name}` may hold slashes. */
function matchPath(template: string, path: string): Record<string, string> | null {
  const names: string[] = []
  const source = template.replaceAll(/\{(\+?)([a-z_]+)\}/g, (_, many: string, name: string) => {
    names.push(name)
    return many === '' ? '([^/]+)' : '(.+)'
  })
  const found = new RegExp(`^${source}$`).exec(path)
  if (found === null) return null
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]))
  } catch {
    return null
  }
}

/** The first route of this method and path, with the values in the path. */
export function matchRoute<One extends { method: string; path: string }>(
  routes: readonly One[],
  method: string,
  path: string,
): { route: One; params: Record<string, string> } | null {
  for (const route of routes) {
    const params = route.method === method ? matchPath(route.path, path) : null
    if (params !== null) return { route, params }
  }
  return null
}
