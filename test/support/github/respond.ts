import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { readCredentials } from './credentials.ts'
import { countCall } from './limits.ts'
import { answerRepositoryPath, readRepositoryPath } from './resolve.ts'
import { type Call, failure, matchRoute, needsJsonWebToken, notFound, type Reply } from './route.ts'
import { repositoryRoutes, routes } from './routes/all.ts'
import { isOauthPath } from './routes/oauth.ts'

export type ResponseContext = Pick<Call, 'data' | 'links' | 'hook'>

export interface IncomingRequest {
  method: string
  /** Path and query. */
  target: string
  headers: IncomingHttpHeaders
  /** Undefined if there is none, or if it is not JSON. */
  body: unknown
}

/** Responds as GitHub does with this data. `change` alters the response before its ETag is computed. */
export function respond(
  context: ResponseContext,
  { target, ...request }: IncomingRequest,
  change: (reply: Reply) => Reply,
): Reply {
  const caller = readCredentials(context.data, request.headers.authorization)
  if ('refusal' in caller) return caller.refusal
  const url = new URL(target, context.links.api)
  const call: Call = { ...context, ...caller, ...request, url, params: {} }
  const cost = isOauthPath(url.pathname) ? null : countCall(context.data, caller)
  if (cost?.refusal) return cost.refusal
  const reply = withEtag(call, change(route(call)))
  if (reply.status === 304) cost?.undo()
  return { ...reply, headers: { ...cost?.headers(), ...reply.headers } }
}

function route(call: Call): Reply {
  const { pathname } = call.url
  const repositoryPath = readRepositoryPath(pathname)
  if (repositoryPath !== null) return answerRepositoryPath(call, repositoryPath, repositoryRoutes)
  const matched = matchRoute(routes, call.method, pathname)
  if (matched === null) return notFound()
  if (matched.route.by === 'app' && !call.isApp) return needsJsonWebToken()
  if (matched.route.by === 'installation' && !call.token?.installationId) return needsInstallation()
  return matched.route.handle({ ...call, params: matched.params })
}

function needsInstallation(): Reply {
  return failure(403, 'You must authenticate with an installation access token in order to list repositories.')
}

/** GitHub's ETags are weak and differ per token. */
function withEtag({ method, headers, token }: Call, reply: Reply): Reply {
  if (method !== 'GET' || reply.status !== 200) return reply
  const content = JSON.stringify([token?.token ?? null, reply.body ?? reply.text, reply.headers?.link ?? null])
  const tag = `"${createHash('sha256').update(content).digest('hex')}"`
  const known = (headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  const more = { etag: `W/${tag}`, 'cache-control': 'private, max-age=60, s-maxage=60' }
  if (known.includes(tag)) return { status: 304, headers: { ...reply.headers, ...more } }
  return { ...reply, headers: { ...reply.headers, ...more } }
}
