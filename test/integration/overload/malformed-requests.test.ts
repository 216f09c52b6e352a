import { describe, expect, it } from 'vitest'
import { connectRaw } from '../../support/raw-client.ts'
import { metricsToken, type Running, run } from '../metrics/running.ts'

const host = 'Host: headsup.example'
const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
const secret = 'SeCrEt'

/** What is written, and the status, the code and the message that it gets. */
const faults: [name: string, text: string, status: number, code: string, message: string][] = [
  [
    'an unknown method',
    head(`${secret} /${secret} HTTP/1.1`, host),
    400,
    'malformed_request',
    'The method is unknown, or this is no request of HTTP/1.1.',
  ],
  [
    'a request line that is none',
    head(`GET /${secret} ${secret} HTTP/1.1`, host),
    400,
    'malformed_request',
    'This is no request of HTTP/1.1.',
  ],
  ['noise', `\0\x01${secret}`, 400, 'malformed_request', 'The method is unknown, or this is no request of HTTP/1.1.'],
  [
    'two ways to say a length',
    head('POST / HTTP/1.1', host, `X-A: ${secret}`, 'Content-Length: 4', 'Transfer-Encoding: chunked'),
    400,
    'malformed_request',
    'The request does not say in one valid way where its body ends.',
  ],
  [
    'headers that are too large',
    head('GET / HTTP/1.1', host, `X: ${secret.repeat(4_000)}`),
    431,
    'headers_too_large',
    'The headers are larger than 16 KiB.',
  ],
  ['CONNECT', head(`CONNECT ${secret}.example:443 HTTP/1.1`, host), 405, 'method_not_allowed', 'This is no proxy.'],
  ['no host', head(`GET /${secret} HTTP/1.1`, `X-A: ${secret}`), 400, 'validation_failed', 'Host: is missing'],
  [
    'an expectation',
    head('GET / HTTP/1.1', host, `Expect: ${secret}`),
    417,
    'expectation_failed',
    'Of expectations only 100-continue is met.',
  ],
]

interface Parsed {
  status: number
  headers: Record<string, string>
  body: string
}

/** The one answer in all that came. Its body is as long as it says, to the last byte. */
function theAnswer(text: string): Parsed {
  const [top = '', ...rest] = text.split('\r\n\r\n')
  const [line = '', ...fields] = top.split('\r\n')
  const headers = Object.fromEntries(
    fields.map((field) => [field.slice(0, field.indexOf(':')).toLowerCase(), field.slice(field.indexOf(':') + 2)]),
  )
  const body = rest.join('\r\n\r\n')
  expect(body.length).toBe(Number(headers['content-length']))
  return { status: Number(/^HTTP\/1\.1 (\d{3}) \S/.exec(line)?.[1]), headers, body }
}

async function ask(url: string, text: string): Promise<Parsed> {
  const connection = await connectRaw(url)
  connection.write(text)
  return theAnswer(await connection.closed())
}

function expectRefusal({ status, headers, body }: Parsed, expected: { status: number; code: string }, hasPage = true) {
  const { error } = JSON.parse(body)
  expect({ status, code: error.code }).toEqual(expected)
  expect(error).toMatchObject({
    message: expect.any(String),
    request_id: headers['x-request-id'],
  })
  expect(error.documentation_url).toBe(hasPage ? `/docs#error-${expected.code}` : undefined)
  expect(headers.allow).toBe(expected.status === 405 ? '' : undefined)
  expect(headers).toMatchObject({
    'cache-control': 'private, no-cache',
    vary: 'Authorization',
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
    date: expect.stringMatching(/ GMT$/),
  })
}

/** A new repository, and the list of its activities. */
function beside({ github, ask }: Running) {
  const { name, owner, writer } = github.addRepository('web')
  const path = `/api/v1/repos/${owner}/${name}/activity`
  return { path, writer, page: async (): Promise<unknown> => (await ask(writer, path)).json() }
}

const requestsIn = ({ names, value }: Awaited<ReturnType<Running['scrape']>>, status: number) =>
  names
    .filter(
      (name) => name.startsWith('headsup_http_requests_total') && name.includes(`route="none",status="${status}"`),
    )
    .reduce((sum, name) => sum + (value(name) ?? 0), 0)

describe('what Node would answer by itself', () => {
  it.each(faults)(
    '(%s) has the answer of every refusal, one line of the log, and is counted',
    async (_name, text, status, code, message) => {
      const service = await run()
      const answer = await ask(service.url, text)
      expectRefusal(answer, { status, code })
      expect(JSON.parse(answer.body).error.message).toBe(message)
      const about = service.lines.filter(({ fields }) => fields.request_id === answer.headers['x-request-id'])
      expect(about).toMatchObject([{ fields: { level: 'info', status } }])
      expect(requestsIn(await service.scrape(), status)).toBe(1)
      expect(JSON.stringify([answer, service.lines])).not.toContain(secret)
    },
  )

  it.each([
    ['a chunk that is none', `${secret}\r\n`, 400, 'malformed_request'],
    ['endless extensions of a chunk', `5;${secret.repeat(4_000)}`, 413, 'payload_too_large'],
    ['trailers that are too large', `0\r\nX: ${secret.repeat(4_000)}`, 431, 'headers_too_large'],
  ])('is, in the body (%s), the refusal of a request like any other', async (_name, text, status, code) => {
    const service = await run()
    const { path, writer, page } = beside(service)
    const fields = [`Authorization: Bearer ${writer}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked']
    const answer = await ask(service.url, head(`POST ${path} HTTP/1.1`, host, ...fields) + text)
    expectRefusal(answer, { status, code })
    const about = service.lines.filter(({ fields }) => fields.request_id === answer.headers['x-request-id'])
    const line = { route: '/api/v1/repos/:owner/:repo/activity', method: 'POST', status }
    expect(about.filter(({ fields }) => fields.level === 'info')).toMatchObject([{ message: 'request', fields: line }])
    expect(await page()).toMatchObject({ items: [] })
    expect(JSON.stringify([answer, service.lines])).not.toContain(secret)
  })

  it('is answered in the same way on the port of the metrics, and stands in no log and no metric there', async () => {
    const service = await run({ METRICS_PORT: '0' })
    const own = String(service.lines.find(({ message }) => message === 'metrics')?.fields.url)
    for (const [, text, status, code] of faults) expectRefusal(await ask(own, text), { status, code }, false)
    expect(service.lines.filter(({ fields }) => 'status' in fields)).toEqual([])
    expect(requestsIn(await service.scrape(), 431)).toBe(0)
  })

  it('takes over the id of a request that can be read so far', async () => {
    const { url } = await run()
    const id = 'X-Request-Id: mine-1'
    for (const text of [
      head('CONNECT a:1 HTTP/1.1', host, id),
      head('GET / HTTP/1.1', id),
      head('GET / HTTP/1.1', host, 'Expect: x', id),
    ]) {
      expect((await ask(url, text)).headers['x-request-id']).toBe('mine-1')
    }
  })

  it('leaves alone what is allowed: no host in HTTP/1.0, and 100-continue', async () => {
    const { url } = await run()
    expect((await ask(url, head('GET /healthz HTTP/1.0'))).status).toBe(200)
    expect((await ask(url, head('GET /healthz HTTP/1.0', 'Expect: x'))).status).toBe(200)
    const connection = await connectRaw(url)
    connection.write(head('GET /healthz HTTP/1.1', host, 'Expect: 100-Continue', 'Connection: close'))
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  })

  it('is JSON-RPC at /mcp, where the path can be read', async () => {
    const { url } = await run()
    const { status, body } = await ask(url, head('POST /mcp HTTP/1.1', host, 'Expect: x', 'Content-Length: 0'))
    expect({ status, ...JSON.parse(body) }).toMatchObject({ status: 417, jsonrpc: '2.0', id: null })
  })

  it('does not stand in the way of the token of the metrics', async () => {
    const { url } = await run()
    const text = head('GET /metrics HTTP/1.1', host, `Authorization: Bearer ${metricsToken}`, 'Connection: close')
    expect((await ask(url, text)).status).toBe(200)
  })
})
