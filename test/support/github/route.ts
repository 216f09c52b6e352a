import type { IncomingHttpHeaders } from 'node:http'
import type { GithubData, Repository, Token } from './data.ts'
import type { Links } from './shapes/account.ts'
import { kindOf } from './token-kind.ts'
import type { WebhookSender } from './webhook-sender.ts'

export interface Call {
  data: GithubData
  links: Links
  hook: WebhookSender
  method: string
  url: URL
  headers: IncomingHttpHeaders
  /** The JSON body, or undefined. */
  body: unknown
  /** The decoded parameters of the path. */
  params: Readonly<Record<string, string>>
  /** Null for a call without a token. */
  token: Token | null
  /** Whether the App itself calls, with a JWT. */
  isApp: boolean
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  /** Sent as JSON; undefined is an empty body. */
  body?: unknown
  /** Sent unchanged, instead of `body`. */
  text?: string
}

export interface Route {
  method: string
  /** As in GitHub's description: `/app/hook/deliveries/{delivery_id}`. */
  path: string
  /** Who may call it, if not everybody. */
  by?: 'app' | 'installation'
  handle(call: Call): Reply
}

/** A route below `/repos/{owner}/{repo}`. It is called only for repositories that the token can see. */
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

/** Returns the parameters of `path`, or null if it does not match `template`. A `{+name}` may contain slashes. */
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

/** Returns the first route with this method and path, and the parameters. */
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
