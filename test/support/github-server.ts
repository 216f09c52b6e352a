import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Request, type RequestHandler } from 'express'
import { appRoutes, installationOf } from './github-server/app-routes.ts'
import { emptyData, type GithubData, nextId } from './github-server/data.ts'
import { serveGit } from './github-server/git.ts'
import { notFound, repositoryRoutes } from './github-server/repository-routes.ts'

/**
 * A GitHub for programs that run as other processes: its API, its web site and its git, all at one address. Where the program runs
 * in the test's process, use nock. `data` may be changed at any time.
 */
export interface GithubServer {
  url: string
  data: GithubData
  /** `GET /repos/acme/shop` of each request so far. */
  requests: string[]
  /** Runs before each answer of the API: it may answer itself, or wait. */
  before: RequestHandler
  /** Sends a signed event, and lists the delivery. Returns the status of the answer. */
  deliver(to: string, secret: string, event: string, payload: { action?: string }): Promise<number>
  stop(): Promise<void>
}

export async function startGithubServer({ port = 0, git }: { port?: number; git?: string } = {}) {
  const data = emptyData()
  const server: GithubServer = {
    ...{ url: '', data, requests: [], before: (_request, _response, next) => next() },
    deliver: (to, secret, event, payload) => deliver(data, { to, secret, event, payload }),
    stop: async () => {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  const app = express()
  app.use((request, response, next) => {
    if (git === undefined || !/^\/[^/]+\/[^/]+\.git\//.test(request.path)) return next()
    if (data.tokens.has(passwordOf(request))) serveGit(git, request, response)
    else response.status(401).set('WWW-Authenticate', 'Basic realm="GitHub"').end()
  })
  app.use(express.json())
  app.use((request, response, next) => {
    server.requests.push(`${request.method} ${request.originalUrl}`)
    response.set({ 'X-RateLimit-Limit': '5000', 'X-RateLimit-Remaining': '4990' })
    return server.before(request, response, next)
  })
  app.use((request, response, next) => {
    const token = tokenOf(request)
    // The App's own requests carry a JSON web token.
    if (token === '' || token.split('.').length === 3 || data.tokens.has(token)) next()
    else response.status(401).json({ message: 'Bad credentials' })
  })
  app.get('/user', (request, response) => {
    const login = data.tokens.get(tokenOf(request))
    if (login) response.json({ login, id: 7, type: 'User' })
    else response.status(403).json({ message: 'Resource not accessible by integration' })
  })
  const callerOf = (request: Request) => {
    const token = tokenOf(request)
    return { login: data.tokens.get(token) ?? null, installationId: installationOf(token) }
  }
  app.use(appRoutes(data, tokenOf, () => server.url))
  app.use(repositoryRoutes(data, callerOf, () => server.url))
  app.use((_request, response) => notFound(response))
  const http = createServer(app)
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return server
}

function tokenOf(request: Request): string {
  return request.get('authorization')?.replace(/^(token|bearer) /i, '') ?? ''
}

/** git sends the token as a password. */
function passwordOf(request: Request): string {
  const basic = request.get('authorization')?.replace(/^basic /i, '') ?? ''
  return Buffer.from(basic, 'base64').toString().split(':')[1] ?? ''
}

async function deliver(
  data: GithubData,
  { to, secret, event, payload }: { to: string; secret: string; event: string; payload: { action?: string } },
): Promise<number> {
  const [body, guid] = [JSON.stringify(payload), randomUUID()]
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const headers = { 'content-type': 'application/json', 'x-github-event': event, 'x-github-delivery': guid }
  const { status } = await fetch(to, {
    ...{ method: 'POST', body },
    headers: { ...headers, 'x-hub-signature-256': signature },
  })
  data.deliveries.unshift({
    ...{ id: nextId(), guid, event, action: payload.action ?? null, delivered_at: new Date().toISOString() },
    ...{ status: status < 400 ? 'OK' : 'Invalid HTTP Response', status_code: status, payload },
  })
  return status
}
