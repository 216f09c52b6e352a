import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectRaw, statuses } from '../../support/raw-client.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let repository: TestRepository

beforeAll(async () => {
  service = await startTestService({ bounds: { requestMs: 300, headersMs: 200, requests: { atOnce: 8, waiting: 8 } } })
  repository = service.newRepository()
})
afterAll(() => service.stop())

const work = JSON.stringify({ title: 'Smuggled', summary: 'It must not be there.', actor: 'Mallory' })
const host = 'Host: headsup.example'

function post(...fields: string[]): string {
  return head(`POST /api/v1${repository.path}/activity HTTP/1.1`, host, ...credentials(), ...fields)
}

const credentials = () => [`Authorization: Bearer ${repository.writer}`, 'Content-Type: application/json']
const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
const alive = head('GET /healthz HTTP/1.1', host, 'Connection: close')
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

/** Writes all of it, and gives the statuses of what was answered before the service closed. */
async function answered(...written: string[]): Promise<number[]> {
  return answeredBy(service, ...written)
}

async function answeredBy({ url }: TestService, ...written: string[]): Promise<number[]> {
  const connection = await connectRaw(url)
  for (const text of written) connection.write(text)
  return statuses(await connection.closed())
}

async function nothingHappened() {
  expect((await repository.page('/activity')).items).toEqual([])
  expect(await answered(alive)).toEqual([200])
}

describe('a request whose end is ambiguous', () => {
  it.each([
    [
      'Transfer-Encoding and Content-Length',
      () => post('Transfer-Encoding: chunked', 'Content-Length: 6'),
      '0\r\n\r\nG',
    ],
    [
      'Content-Length and Transfer-Encoding',
      () => post('Content-Length: 6', 'Transfer-Encoding: chunked'),
      '0\r\n\r\nG',
    ],
    ['two lengths', () => post(`Content-Length: ${work.length}`, 'Content-Length: 1'), work],
    ['a list of lengths', () => post(`Content-Length: ${work.length}, ${work.length}`), work],
    ['a length with a sign', () => post(`Content-Length: +${work.length}`), work],
    ['a length below zero', () => post('Content-Length: -1'), work],
    ['a length in hexadecimal', () => post('Content-Length: 0x10'), work],
    ['a length beyond counting', () => post(`Content-Length: ${'9'.repeat(40)}`), work],
    ['a coding before chunked', () => post('Transfer-Encoding: gzip, chunked'), chunked(work)],
    ['chunked that is not last', () => post('Transfer-Encoding: chunked, identity'), chunked(work)],
    ['an encoding that is unknown', () => post('Transfer-Encoding: xchunked'), chunked(work)],
    ['chunked behind a tab in the name', () => post('Transfer-Encoding\t: chunked'), chunked(work)],
    ['a space before the colon', () => post('Content-Length : 5'), work],
    ['a folded field', () => post('Content-Length: 5\r\n 0'), work],
    ['a chunk whose size is no number', () => post('Transfer-Encoding: chunked'), `zz\r\n${work}\r\n0\r\n\r\n`],
    ['a chunk that is longer than it says', () => post('Transfer-Encoding: chunked'), `5\r\n${work}\r\n0\r\n\r\n`],
    ['a chunk with endless extensions', () => post('Transfer-Encoding: chunked'), `5;${'x'.repeat(40_000)}`],
    ['lines that end in LF alone', () => post('X: y').replaceAll('\r\n', '\n'), ''],
    ['a CR inside a field', () => post('X-A: a\rContent-Length: 5'), work],
    ['a NUL inside a field', () => post('X-A: a\0b'), work],
  ])('(%s) is refused, and the connection closed', async (_name, start, rest) => {
    const found = await answered(start(), rest, head('GET /healthz HTTP/1.1', host))
    expect(found.filter((status) => status < 400 || status >= 500)).toEqual([])
    await nothingHappened()
  })

  it('may be chunked', async () => {
    const other = service.newRepository()
    const start = head(
      `POST /api/v1${other.path}/activity HTTP/1.1`,
      host,
      `Authorization: Bearer ${other.writer}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    )
    expect(await answered(start + chunked(work) + alive)).toEqual([201, 200])
  })
})

describe('headers', () => {
  it('of more than 16 KiB are 431', async () => {
    expect(await answered(head('GET /healthz HTTP/1.1', host, `X-Large: ${'x'.repeat(17_000)}`))).toEqual([431])
    expect(await answered(head(`GET /${'x'.repeat(17_000)} HTTP/1.1`, host))).toEqual([431])
    const many = Array.from({ length: 3_000 }, (_, n) => `x${n}: y`)
    expect(await answered(head('GET /healthz HTTP/1.1', host, ...many))).toEqual([431])
    await nothingHappened()
  })

  it('of many small fields are read', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => `x${n}: y`)
    expect(await answered(head('GET /healthz HTTP/1.1', host, 'Connection: close', ...many))).toEqual([200])
  })

  it('with no host, two, or an invalid one are 400', async () => {
    const closing = 'Connection: close'
    expect(await answered(head('GET /healthz HTTP/1.1', closing))).toEqual([400])
    expect(await answered(head('GET /healthz HTTP/1.1', host, 'Host: other.example', closing))).toEqual([400])
    expect(await answered(head('GET /healthz HTTP/1.1', host, 'HOST: headsup.example', closing))).toEqual([400])
    for (const bad of [
      'a b',
      'a/b',
      'user@a',
      'http://a',
      'a:b',
      'a:123456',
      '[::1',
      '[x]',
      '<a>',
      'a\\b',
      'a?b',
      'a#b',
      'a,b c',
    ]) {
      expect([bad, await answered(head('GET /healthz HTTP/1.1', `Host: ${bad}`, closing))]).toEqual([bad, [400]])
    }
    for (const good of ['a', 'a.example:80', '127.0.0.1:3000', '[::1]:3000', '[fe80::1]', 'my_service.internal', '']) {
      expect([good, await answered(head('GET /healthz HTTP/1.1', `Host: ${good}`, closing))]).toEqual([good, [200]])
    }
  })

  it('of proxies about host and scheme change no response', async () => {
    const plain = await repository.get('/activity')
    const told = await repository.get('/activity', {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/evil' },
    })
    expect(told.body).toEqual(plain.body)
    expect(JSON.stringify([...told.headers])).not.toContain('evil')
  })
})

describe('a request that is not HTTP/1.1', () => {
  it.each([
    ['noise', '\0\x01\x02\xff\xfe'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown version', head('GET /healthz HTTP/3.7', host)],
    ['HTTP/2.0 in the words of HTTP/1.1', head('GET /healthz HTTP/2.0', host)],
    ['HTTP/0.9 with a version', head('GET /healthz HTTP/0.9', host)],
    ['an unknown method', head('BREW /healthz HTTP/1.1', host)],
    ['a method in small letters', head('get /healthz HTTP/1.1', host)],
    ['a space in the path', head('GET /healthz /x HTTP/1.1', host)],
    ['a path without a slash', head('GET healthz HTTP/1.1', host)],
  ])('(%s) is 400, and the connection closed', async (_name, text) => {
    expect(await answered(text)).toEqual([400])
    expect(await answered(alive)).toEqual([200])
  })

  it.each([
    ['CONNECT', head('CONNECT 10.0.0.1:5432 HTTP/1.1', host)],
    ['TRACE', head('TRACE /healthz HTTP/1.1', host, 'Connection: close')],
    ['the address of another server', head('GET http://10.0.0.1/latest HTTP/1.1', host, 'Connection: close')],
    ['an asterisk', head('OPTIONS * HTTP/1.1', host, 'Connection: close')],
  ])('(%s) is refused', async (_name, text) => {
    const found = await answered(text)
    expect(found.filter((status) => status < 400 || status >= 500)).toEqual([])
    expect(await answered(alive)).toEqual([200])
  })

  it('(an upgrade) gets the response of a request without it', async () => {
    const upgrade = ['Connection: Upgrade, close', 'Upgrade: websocket', 'Sec-WebSocket-Key: x']
    expect(await answered(head('GET /healthz HTTP/1.1', host, ...upgrade))).toEqual([200])
    const h2c = ['Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']
    expect(await answered(head('GET /healthz HTTP/1.1', host, ...h2c))).toEqual([200])
  })
})

describe('pipelined requests', () => {
  it('get their responses in order', async () => {
    const [nowhere, health] = [head('GET /nowhere HTTP/1.1', host), head('GET /healthz HTTP/1.1', host)]
    const list = head(`GET /api/v1${repository.path}/activity HTTP/1.1`, host, ...credentials())
    expect(await answered(list + nowhere + health + list + alive)).toEqual([200, 404, 200, 200, 200])
  })

  it('are each served or refused, also 500 of them', async () => {
    // On a busy machine the last of them is read late: it must not count as slow to arrive.
    const patient = await startTestService({ sharedWith: service, bounds: { requests: { atOnce: 8, waiting: 8 } } })
    const list = head(`GET /api/v1${repository.path}/activity HTTP/1.1`, host, ...credentials())
    const found = await answeredBy(patient, list.repeat(500) + alive)
    await patient.stop()
    expect(found.length).toBe(501)
    expect(new Set(found.slice(0, 500))).toEqual(new Set([200, 503]))
    expect(found[500]).toBe(200)
  })
})
