import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { spendCall } from './limits.ts'
import { answerRepositoryPath, readRepositoryPath } from './resolve.ts'
import { badCredentials, type Call, failure, matchPath, notFound, type Reply } from './route.ts'
import { repositoryRoutes, routes } from './routes/all.ts'
import type { Links } from './shapes/account.ts'
import type { World } from './world.ts'

export interface Server {
  url: string
  links: Links
  /** Path and query of every request so far. */
  requests: string[]
  stop(): Promise<void>
}

export async function startServer(world: World, options: { port?: number; web?: string } = {}): Promise<Server> {
  const requests: string[] = []
  const links: Links = { api: '', web: options.web ?? 'https://github.com' }
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    answer(world, links, request)
      .then((reply) => send(request, response, reply))
      .catch((error: unknown) => send(request, response, failure(500, String(error))))
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  links.api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: links.api,
    links,
    requests,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(world: World, links: Links, request: IncomingMessage): Promise<Reply> {
  const url = new URL(request.url ?? '/', links.api)
  const sent = await bodyOf(request)
  const credentials = /^(?:bearer|token) +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const token = credentials === undefined ? null : (world.tokens.get(credentials) ?? null)
  const method = request.method ?? 'GET'
  const call: Call = { world, links, method, url, headers: request.headers, body: sent, params: {}, token }
  if (credentials !== undefined && (token === null || (token.expiresAt ?? Infinity) <= world.now())) {
    return badCredentials()
  }
  const limit = spendCall(world, token)
  if (limit.refusal !== null) return limit.refusal
  const reply = withEtag(call, await route(call))
  if (reply.status === 304) limit.giveBack()
  return { ...reply, headers: { ...limit.headers(), ...reply.headers } }
}

async function route(call: Call): Promise<Reply> {
  const { pathname } = call.url
  const repositoryPath = readRepositoryPath(pathname)
  if (repositoryPath !== null) return answerRepositoryPath(call, repositoryPath, repositoryRoutes)
  for (const candidate of routes) {
    const params = candidate.method === call.method ? matchPath(candidate.path, pathname) : null
    if (params !== null) return await candidate.handle({ ...call, params })
  }
  return notFound()
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

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body, text }: Reply): void {
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const type = content === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }
  const always = { 'x-github-request-id': 'C0DE:5', 'x-github-media-type': 'github.v3; format=json' }
  response.writeHead(status, { ...type, ...always, ...headers })
  response.end(request.method === 'HEAD' ? undefined : content)
}
