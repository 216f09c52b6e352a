import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface StubbedRequest {
  /** Method and path below the repository, such as `PATCH /activity/act_1`. */
  call: string
  query: Record<string, string>
  /** `owner/name` */
  repository: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

type Respond = (request: StubbedRequest) => { status?: number; body: unknown } | undefined

/** The only activity of the stub. */
export const stubbedActivity = {
  id: 'act_1',
  title: 'Work',
  summary: 'Work',
  actor: 'Alice',
  status: 'active',
  risk: 'low',
  scope: { areas: [], paths: [] },
  expires_at: '2099-01-01T00:00:00Z',
}

export const noOverlap = {
  overlap_detected: false,
  severity: null,
  reason: 'Nothing overlaps.',
  recommended_action: 'Go ahead.',
  clear: true,
  messages: [
    { kind: 'nearby', ids: [], text: 'Nothing overlaps.' },
    { kind: 'advice', ids: [], text: 'Go ahead.' },
  ],
  related_activity_ids: [],
  related_notable_ids: [],
  reuse_opportunities: [],
}

function usualResponse({ call, query }: StubbedRequest): { status?: number; body: unknown } {
  if (call === 'POST /activity') return { status: 201, body: { activity: stubbedActivity, overlap: noOverlap } }
  if (query.overlap === 'true') return { body: { activity: stubbedActivity, overlap: noOverlap } }
  if (call === 'POST /activity/check') return { body: noOverlap }
  if (/^GET \/(?:activity|notables)$/.test(call)) return { body: { items: [], next_cursor: null } }
  return { body: stubbedActivity }
}

/** Starts a service for one test that records each request. What `respond` does not answer gets a usual response. */
export async function startServiceStub(respond: Respond = () => undefined) {
  const requests: StubbedRequest[] = []
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://stub')
    if (pathname === '/api/v1') {
      response.end(JSON.stringify({ name: 'headsup', github_server_url: 'https://github.com' }))
      return
    }
    const [, repository = '', path = ''] = /^\/api\/v1\/repos\/([^/]+\/[^/]+)(\/.*)$/.exec(pathname) ?? []
    const request = {
      call: `${incoming.method} ${path}`,
      query: Object.fromEntries(searchParams),
      repository,
      headers: incoming.headers,
      body: JSON.parse(Buffer.concat(chunks).toString() || '{}'),
    }
    requests.push(request)
    const { status = 200, body } = respond(request) ?? usualResponse(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, requests, sent: (call: string) => requests.filter((request) => request.call === call) }
}
