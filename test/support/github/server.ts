import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { GithubData } from './data.ts'
import { createFaultInjector, type FaultInjector } from './faults.ts'
import { operationOf } from './operation.ts'
import { type LoggedRequest, newLogEntry } from './request-log.ts'
import { type ResponseContext, respond } from './respond.ts'
import { failure, type Reply } from './route.ts'
import { bodyOf, cutOff, send } from './send.ts'
import { serveGit } from './serve-git.ts'
import type { Links } from './shapes/account.ts'
import { createWebhookSender, type WebhookSender } from './webhook-sender.ts'

export interface Server {
  url: string
  links: Links
  hook: WebhookSender
  faults: FaultInjector
  log: LoggedRequest[]
  /** Path and query of every request so far. */
  requests: string[]
  /** Rejects if a response differed from GitHub's description. */
  stop(): Promise<void>
}

export interface ServerOptions {
  port?: number
  /** The beginning of the web site's URLs; `own`: this server, where people can sign in too. */
  web?: string
  /** A folder with bare repositories, each at `OWNER/NAME.git`, which are served to callers with a known token. */
  git?: string
  /** Whether to compare every response with GitHub's description. By default only in tests. */
  validate?: boolean
  /** Responds to requests that are not GitHub's; null for any other. */
  extraRoutes?: (method: string, target: string, body: unknown) => Promise<Reply> | null
}

interface ServerState extends ResponseContext {
  faults: FaultInjector
  log: LoggedRequest[]
  requests: string[]
  drift: string[]
  /** The differences between a response and GitHub's description. */
  driftOf(operation: string | null, reply: Reply): string[]
  extraRoutes: NonNullable<ServerOptions['extraRoutes']>
  git: string | undefined
}

export async function startServer(data: GithubData, options: ServerOptions = {}): Promise<Server> {
  const state: ServerState = {
    data,
    links: { api: '', web: options.web ?? 'https://github.com' },
    hook: createWebhookSender(data),
    faults: createFaultInjector(),
    log: [],
    requests: [],
    drift: [],
    // Imported only if needed: compiling schemas is slow, and the compiled stand-in has no fixtures.
    driftOf: (options.validate ?? 'VITEST' in process.env) ? (await import('./drift.ts')).driftOf : () => [],
    extraRoutes: options.extraRoutes ?? (() => null),
    git: options.git,
  }
  const server = createServer((request, response) => {
    handle(state, request, response).catch((error: unknown) => send(request, response, failure(500, String(error))))
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  state.links.api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  if (options.web === 'own') state.links.web = state.links.api
  const { links, hook, faults, log, requests } = state
  return { url: links.api, links, hook, faults, log, requests, stop }

  async function stop(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    if (state.drift.length > 0)
      throw new Error(`responses of the stand-in differ from GitHub: ${state.drift.join('\n')}`)
  }
}

async function handle(state: ServerState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url: target = '/', headers } = request
  if (state.git !== undefined && /^\/[^/]+\/[^/]+\.git\//.test(target)) {
    if (state.data.tokens.has(tokenOfGit(headers.authorization))) return serveGit(state.git, request, response)
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="GitHub"' }).end()
    return
  }
  const body = await bodyOf(request)
  const other = state.extraRoutes(request.method ?? 'GET', target, body)
  if (other !== null) return send(request, response, await other)
  // HEAD is GET without a body in the response.
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET')
  const entry = newLogEntry({
    method,
    target,
    headers,
    operation: operationOf(method, new URL(target, state.links.api).pathname),
  })
  state.log.push(entry)
  state.requests.push(target)
  const reply = await replyTo(state, entry, { body, authorization: headers.authorization ?? '' })
  if (reply === 'never') return
  if (reply === 'reset') return void request.socket.resetAndDestroy()
  entry.status = reply.status
  if ('isCut' in reply) return cutOff(response, reply)
  send(request, response, reply)
}

/** git sends the token as a password. */
function tokenOfGit(authorization = ''): string {
  return (
    Buffer.from(authorization.replace(/^Basic /i, ''), 'base64')
      .toString()
      .split(':')[1] ?? ''
  )
}

async function replyTo(
  state: ServerState,
  { method, target, headers, operation }: LoggedRequest,
  { body, authorization }: { body: unknown; authorization: string },
): Promise<Reply | (Reply & { isCut: true }) | 'never' | 'reset'> {
  const fault = state.faults.find({ method, path: target, authorization })
  if (fault?.kind === 'delay') {
    if (fault.ms === null) return 'never'
    await new Promise((resolve) => setTimeout(resolve, fault.ms ?? 0))
  }
  if (fault?.kind === 'hold') await fault.until
  if (fault?.kind === 'drop' && fault.when === 'before') return 'reset'
  if (fault?.kind === 'reply') return fault.reply
  if (fault?.kind === 'act' && fault.when === 'before') await fault.action()
  const change = fault?.kind === 'change' ? fault.change : (reply: Reply) => reply
  const reply = respond(state, { method, target, headers: { ...headers, authorization }, body }, change)
  if (fault?.kind === 'act' && fault.when === 'after') await fault.action()
  if (fault?.kind === 'drop') return { ...reply, isCut: true }
  const found = fault?.kind === 'change' ? [] : state.driftOf(operation, reply)
  state.drift.push(...found)
  return found.length === 0 ? reply : failure(500, found.join('\n'))
}
