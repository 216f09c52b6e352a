import { describe, expect, it } from 'vitest'
import { connectRaw, statuses } from '../../support/raw-client.ts'
import { metricsToken, type Running, run } from '../metrics/running.ts'

const host = 'Host: localhost'
const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
const secret = 'SeCrEt'

const refused: [name: string, text: string, found: number[]][] = [
  ['an unknown method', head(`${secret} /${secret} HTTP/1.1`, host), [400]],
  ['an invalid request line', head(`GET /${secret} ${secret} HTTP/1.1`, host), [400]],
  ['noise', `\0\x01${secret}`, [400]],
  [
    'two lengths of the body',
    head('POST / HTTP/1.1', host, `X-A: ${secret}`, 'Content-Length: 4', 'Transfer-Encoding: chunked'),
    [400],
  ],
  ['headers that are too large', head('GET / HTTP/1.1', host, `X: ${secret.repeat(4_000)}`), [431]],
  ['CONNECT', head(`CONNECT ${secret}.example:443 HTTP/1.1`, host), []],
  ['no host', head(`GET /${secret} HTTP/1.1`, `X-A: ${secret}`), [400]],
  ['an unknown expectation', head('GET / HTTP/1.1', host, `Expect: ${secret}`, 'Connection: close'), [417]],
]

async function received(url: string, text: string): Promise<string> {
  const connection = await connectRaw(url)
  connection.write(text)
  return await connection.closed()
}

/** A new repository, and how to list its activities. */
function beside({ github, ask }: Running) {
  const { name, owner, writer } = github.addRepository('web')
  const path = `/api/v1/repos/${owner}/${name}/activity`
  return { path, writer, page: async (): Promise<unknown> => (await ask(writer, path)).json() }
}

describe("a request that Node's parser refuses", () => {
  it.each(refused)("(%s) gets Node's plain response, and its text is not logged", async (_name, text, found) => {
    const service = await run()
    const answer = await received(service.url, text)
    expect(statuses(answer)).toEqual(found)
    expect(answer).not.toContain('{')
    expect(JSON.stringify([answer, service.lines])).not.toContain(secret)
    expect(statuses(await received(service.url, head('GET /healthz HTTP/1.1', host, 'Connection: close')))).toEqual([
      200,
    ])
  })

  it.each([
    ['an invalid chunk', `${secret}\r\n`, 400],
    ['endless extensions of a chunk', `5;${secret.repeat(4_000)}`, 413],
    ['trailers that are too large', `0\r\nX: ${secret.repeat(4_000)}`, 431],
  ])('because of its body (%s) saves nothing', async (_name, text, status) => {
    const service = await run()
    const { path, writer, page } = beside(service)
    const fields = [`Authorization: Bearer ${writer}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked']
    const answer = await received(service.url, head(`POST ${path} HTTP/1.1`, host, ...fields) + text)
    expect(statuses(answer)).toEqual([status])
    expect(await page()).toMatchObject({ items: [] })
    expect(JSON.stringify([answer, service.lines])).not.toContain(secret)
  })

  it('is refused on the port of the metrics too', async () => {
    const service = await run({ METRICS_PORT: '0' })
    const own = String(service.lines.find(({ message }) => message === 'metrics')?.fields.url)
    for (const [name, text, found] of refused) {
      expect([name, statuses(await received(own, text))]).toEqual([name, found])
    }
  })
})

describe('a request that Node accepts', () => {
  it('may have no host in HTTP/1.0, and may expect 100-continue', async () => {
    const { url } = await run()
    expect(statuses(await received(url, head('GET /healthz HTTP/1.0')))).toEqual([200])
    expect(statuses(await received(url, head('GET /healthz HTTP/1.0', 'Expect: x')))).toEqual([200])
    const text = head('GET /healthz HTTP/1.1', host, 'Expect: 100-Continue', 'Connection: close')
    expect(await received(url, text)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  })

  it('reads the metrics with their token', async () => {
    const { url } = await run()
    const text = head('GET /metrics HTTP/1.1', host, `Authorization: Bearer ${metricsToken}`, 'Connection: close')
    expect(statuses(await received(url, text))).toEqual([200])
  })
})
