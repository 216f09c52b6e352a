import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer, type Site } from './answer.ts'
import { createTrouble, type Trouble } from './faults.ts'
import { createHook, type Hook } from './hook.ts'
import { operationOf } from './operation.ts'
import { type Logged, logged } from './request-log.ts'
import { failure, type Reply } from './route.ts'
import { bodyOf, cutOff, send } from './send.ts'
import type { Links } from './shapes/account.ts'
import type { World } from './world.ts'

export interface Server {
  url: string
  links: Links
  hook: Hook
  trouble: Trouble
  log: Logged[]
  /** Path and query of every request so far. */
  requests: string[]
  /** Rejects where an answer was not as GitHub's description has it. */
  stop(): Promise<void>
}

export interface ServerOptions {
  port?: number
  /** What the web site's URLs begin with. */
  web?: string
  /** Whether every answer is held against GitHub's description: in tests, unless given. */
  validate?: boolean
  /** Answers what isn't GitHub's, or null. */
  beside?: (method: string, target: string, body: unknown) => Promise<Reply> | null
}

interface Desk extends Site {
  trouble: Trouble
  log: Logged[]
  requests: string[]
  drift: string[]
  /** Where an answer differs from GitHub's description. */
  driftOf(operation: string | null, reply: Reply): string[]
  beside: NonNullable<ServerOptions['beside']>
}

export async function startServer(world: World, options: ServerOptions = {}): Promise<Server> {
  const desk: Desk = {
    world,
    links: { api: '', web: options.web ?? 'https://github.com' },
    hook: createHook(world),
    trouble: createTrouble(),
    log: [],
    requests: [],
    drift: [],
    // Loaded where it is wanted: compiling a schema takes long, and a compiled stand-in has no fixtures beside it.
    driftOf: (options.validate ?? 'VITEST' in process.env) ? (await import('./drift.ts')).driftOf : () => [],
    beside: options.beside ?? (() => null),
  }
  const server = createServer((request, response) => {
    handle(desk, request, response).catch((error: unknown) => send(request, response, failure(500, String(error))))
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  desk.links.api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { links, hook, trouble, log, requests } = desk
  return { url: links.api, links, hook, trouble, log, requests, stop }

  async function stop(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    if (desk.drift.length > 0) throw new Error(`the stand-in answered as GitHub does not: ${desk.drift.join('\n')}`)
  }
}

async function handle(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url: target = '/', headers } = request
  const body = await bodyOf(request)
  const other = desk.beside(request.method ?? 'GET', target, body)
  if (other !== null) return send(request, response, await other)
  // HEAD is GET, without what it sends.
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET')
  const entry = logged({
    method,
    target,
    headers,
    operation: operationOf(method, new URL(target, desk.links.api).pathname),
  })
  desk.log.push(entry)
  desk.requests.push(target)
  const reply = await replyTo(desk, entry, { body, authorization: headers.authorization ?? '' })
  if (reply === 'never') return
  if (reply === 'reset') return void request.socket.resetAndDestroy()
  entry.status = reply.status
  if ('isCut' in reply) return cutOff(response, reply)
  send(request, response, reply)
}

async function replyTo(
  desk: Desk,
  { method, target, headers, operation }: Logged,
  { body, authorization }: { body: unknown; authorization: string },
): Promise<Reply | (Reply & { isCut: true }) | 'never' | 'reset'> {
  const fault = desk.trouble.of({ method, path: target, authorization })
  if (fault?.kind === 'delay') {
    if (fault.ms === null) return 'never'
    await new Promise((resolve) => setTimeout(resolve, fault.ms ?? 0))
  }
  if (fault?.kind === 'hold') await fault.until
  if (fault?.kind === 'drop' && fault.when === 'before') return 'reset'
  if (fault?.kind === 'reply') return fault.reply
  const change = fault?.kind === 'change' ? fault.change : (reply: Reply) => reply
  const reply = answer(desk, { method, target, headers: { ...headers, authorization }, body }, change)
  if (fault?.kind === 'drop') return { ...reply, isCut: true }
  const found = fault?.kind === 'change' ? [] : desk.driftOf(operation, reply)
  desk.drift.push(...found)
  return found.length === 0 ? reply : failure(500, found.join('\n'))
}
