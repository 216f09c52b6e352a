import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { readCredentials } from './credentials.ts'
import { spendCall } from './limits.ts'
import { answerRepositoryPath, readRepositoryPath } from './resolve.ts'
import { type Call, failure, matchRoute, needsJsonWebToken, notFound, type Reply } from './route.ts'
import { repositoryRoutes, routes } from './routes/all.ts'

export type Site = Pick<Call, 'world' | 'links' | 'hook'>

export interface Asked {
  method: string
  /** Path and query. */
  target: string
  headers: IncomingHttpHeaders
  /** Undefined for none, or one that is no JSON. */
  body: unknown
}

/** What GitHub answers in this world; `change` alters it before its ETag is made. */
export function answer(site: Site, { target, ...asked }: Asked, change: (reply: Reply) => Reply): Reply {
  const asker = readCredentials(site.world, asked.headers.authorization)
  if ('refusal' in asker) return asker.refusal
  const url = new URL(target, site.links.api)
  const call: Call = { ...site, ...asker, ...asked, url, params: {} }
  const limit = spendCall(site.world, asker)
  if (limit.refusal !== null) return limit.refusal
  const reply = withEtag(call, change(route(call)))
  if (reply.status === 304) limit.giveBack()
  return { ...reply, headers: { ...limit.headers(), ...reply.headers } }
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

/** GitHub's are weak, and another one for every token. */
function withEtag({ method, headers, token }: Call, reply: Reply): Reply {
  if (method !== 'GET' || reply.status !== 200) return reply
  const content = JSON.stringify([token?.token ?? null, reply.body ?? reply.text, reply.headers?.link ?? null])
  const tag = `"${createHash('sha256').update(content).digest('hex')}"`
  const known = (headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  const more = { etag: `W/${tag}`, 'cache-control': 'private, max-age=60, s-maxage=60' }
  if (known.includes(tag)) return { status: 304, headers: { ...reply.headers, ...more } }
  return { ...reply, headers: { ...reply.headers, ...more } }
}
