import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer, type Site } from './answer.ts'
import { createTrouble, type Trouble } from './faults.ts'
import { createHook, type Hook } from './hook.ts'
import { failure, type Reply } from './route.ts'
import type { Links } from './shapes/account.ts'
import type { World } from './world.ts'

export interface Server {
  url: string
  links: Links
  hook: Hook
  trouble: Trouble
  /** Path and query of every request so far. */
  requests: string[]
  stop(): Promise<void>
}

export interface ServerOptions {
  port?: number
  /** What the web site's URLs begin with. */
  web?: string
  /** Answers what isn't GitHub's, or null. */
  beside?: (method: string, target: string, body: unknown) => Promise<Reply> | null
}

export async function startServer(world: World, options: ServerOptions = {}): Promise<Server> {
  const requests: string[] = []
  const trouble = createTrouble()
  const site: Site = { world, links: { api: '', web: options.web ?? 'https://github.com' }, hook: createHook(world) }
  const server = createServer((request, response) => {
    handle(site, trouble, requests, options, request, response).catch((error: unknown) =>
      send(request, response, failure(500, String(error))),
    )
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  site.links.api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: site.links.api,
    links: site.links,
    hook: site.hook,
    trouble,
    requests,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function handle(
  site: Site,
  trouble: Trouble,
  requests: string[],
  { beside }: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url: target = '/', headers } = request
  const body = await bodyOf(request)
  const other = beside?.(method, target, body) ?? null
  if (other !== null) return send(request, response, await other)
  requests.push(target)
  const fault = trouble.of({ method, path: target, authorization: headers.authorization ?? '' })
  if (fault?.kind === 'delay') {
    if (fault.ms === null) return
    await new Promise((resolve) => setTimeout(resolve, fault.ms ?? 0))
  }
  if (fault?.kind === 'drop' && fault.when === 'before') return void request.socket.resetAndDestroy()
  if (fault?.kind === 'reply') return send(request, response, fault.reply)
  const change = fault?.kind === 'change' ? fault.change : (reply: Reply) => reply
  const reply = answer(site, { method, target, headers, body }, change)
  if (fault?.kind === 'drop') return cutOff(response, reply)
  send(request, response, reply)
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

function cutOff(response: ServerResponse, { status, headers, body, text }: Reply): void {
  const content = Buffer.from(text ?? JSON.stringify(body ?? {}))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': content.length, ...headers })
  response.write(content.subarray(0, content.length / 2), () => response.socket?.destroy())
}
