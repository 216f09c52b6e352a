import { once } from 'node:events'
import type { RequestListener, ServerResponse } from 'node:http'
import { type AddressInfo, connect as connectTo } from 'node:net'
import express from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { toAppError } from '../../../../src/http/middleware/error-handler.ts'
import { rawReader } from '../../../../src/http/middleware/read-body.ts'
import { createListener, type ListenerBounds } from '../../../../src/http/server/listener.ts'
import type { MalformedRequest } from '../../../../src/http/server/malformed-requests.ts'
import { connectRaw, statuses } from '../../../support/raw-client.ts'

let stop = () => {}
afterEach(() => stop())

async function listening(listener: RequestListener, bounds: Partial<ListenerBounds> = {}) {
  const told: MalformedRequest[] = []
  const server = createListener(listener, bounds, { onRefused: (refused) => told.push(refused) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { server, told, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** A server whose answers the test gives, when it likes. */
async function held(bounds: Partial<ListenerBounds> = {}) {
  const responses: ServerResponse[] = []
  const paths: (string | undefined)[] = []
  const service = await listening((request, response) => {
    paths.push(request.url)
    responses.push(response)
  }, bounds)
  const arrived = async (count: number) => {
    while (responses.length < count) await once(service.server, 'request')
  }
  return { ...service, responses, paths, arrived }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const chunked = 'POST /body HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
const garbage = 'GARBAGE \0 garbage\r\n\r\n'
const connect = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'

describe.each([
  ['garbage', garbage, 400],
  ['CONNECT', connect, 405],
  ['headers that are too large', `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
])('%s behind requests', (_name, fault, status) => {
  it('is answered once, after all of them, and the connection closed', async () => {
    const { url, responses, arrived, told } = await held()
    const connection = await connectRaw(url)
    connection.write(get('/1') + get('/2') + get('/3') + fault)
    await arrived(3)
    responses[2]?.end('third')
    responses[0]?.end('first')
    await connection.until(/first/)
    responses[1]?.write('sec')
    await connection.until(/sec/)
    expect(statuses(connection.received())).toEqual([200, 200])
    responses[1]?.end('ond')
    const text = await connection.closed()
    expect(statuses(text)).toEqual([200, 200, 200, status])
    expect(text).toMatch(/first.*sec\r\n.*ond\r\n.*third.*"error":/s)
    expect(told).toMatchObject([{ status }])
  })

  it('that come in another packet, while an answer is written, leave it whole', async () => {
    const { url, responses, arrived } = await held()
    const connection = await connectRaw(url)
    connection.write(get('/1'))
    await arrived(1)
    responses[0]?.write('first half, ')
    await connection.until(/first half/)
    connection.write(fault)
    connection.write(fault)
    await new Promise((resolve) => responses[0]?.write('second half', resolve))
    responses[0]?.end()
    const text = await connection.closed()
    expect(statuses(text)).toEqual([200, status])
    expect(text.indexOf('second half')).toBeLessThan(text.indexOf(`HTTP/1.1 ${status}`))
  })

  it('gets nothing where the last of them is the last that the connection answers', async () => {
    const { url, responses, arrived, told } = await held()
    const connection = await connectRaw(url)
    connection.write(get('/1') + fault)
    await arrived(1)
    responses[0]?.setHeader('Connection', 'close')
    responses[0]?.end('only')
    expect(statuses(await connection.closed())).toEqual([200])
    expect(told).toEqual([])
  })
})

describe('two faults on one connection', () => {
  it.each([
    ['at once', garbage + garbage],
    ['of which the second is CONNECT', garbage + connect],
    ['of which the first is CONNECT', connect + garbage],
  ])('(%s) get one answer', async (_name, text) => {
    const { url, told } = await held()
    const connection = await connectRaw(url)
    connection.write(text)
    connection.write(text)
    expect(statuses(await connection.closed())).toHaveLength(1)
    expect(told).toHaveLength(1)
  })

  it('(one after the other) get one answer', async () => {
    const { url, told } = await held()
    const connection = await connectRaw(url)
    connection.write(garbage)
    await connection.until(/request_id/)
    connection.write(garbage)
    connection.write(get('/after'))
    expect(statuses(await connection.closed())).toEqual([400])
    expect(told).toHaveLength(1)
  })
})

/** Reads each body to its end, as the service does, but first waits for what the test holds. */
async function reading(bounds: Partial<ListenerBounds> = {}) {
  const app = express()
  let go = () => {}
  const gone = new Promise<void>((resolve) => {
    go = resolve
  })
  const ended: unknown[] = []
  app.post('/later', async (_request, _response, next) => {
    await gone
    next()
  })
  app.use(async (request, response) => {
    try {
      const bytes = await rawReader(1_000)(request, response)
      response.end(`read ${bytes.length}`)
      ended.push(bytes.length)
    } catch (error) {
      const { code } = toAppError(error)
      ended.push(code)
      response.status(400).end(code)
    }
  })
  return { ...(await listening(app, bounds)), go, ended }
}

/** A request that has come but for the end of its body, for which it will be late. */
async function slowBody() {
  const service = await held({ requestMs: 500, headersMs: 500 })
  const connection = await connectRaw(service.url)
  const isLate = once(service.server, 'clientError')
  connection.write('POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na')
  await service.arrived(1)
  return { ...service, connection, isLate }
}

describe('a fault in a body', () => {
  it('is the answer to its request, after those before it', async () => {
    const { url, told, ended } = await reading()
    const connection = await connectRaw(url)
    connection.write(`${get('/1')}${chunked}3\r\nabc\r\nzz\r\n`)
    const text = await connection.closed()
    expect(statuses(text)).toEqual([200, 400])
    expect(text).toContain('Connection: close')
    expect(text).toMatch(/malformed_request$/)
    expect(ended).toEqual([0, 'malformed_request'])
    // It is a request like others: it has its line in the log already.
    expect(told).toEqual([])
  })

  it('is told to whoever reads it later', async () => {
    const { url, go, server } = await reading()
    const connection = await connectRaw(url)
    const isRead = once(server, 'clientError')
    connection.write(`${chunked.replace('/body', '/later')}zz\r\n`)
    await isRead
    go()
    expect(await connection.closed()).toMatch(/malformed_request$/)
  })

  it('does not touch an answer that has begun, and closes behind it', async () => {
    const { url, responses, arrived, server } = await held()
    const connection = await connectRaw(url)
    connection.write(chunked)
    await arrived(1)
    responses[0]?.write('one, ')
    await connection.until(/one, /)
    const isRead = once(server, 'clientError')
    connection.write('zz\r\n')
    await isRead
    responses[0]?.end('two')
    const text = await connection.closed()
    expect(statuses(text)).toEqual([200])
    expect(text).toMatch(/one, .*two\r\n0\r\n\r\n$/s)
  })

  it('behind the whole answer closes the connection', async () => {
    const { url, responses, arrived, told } = await held()
    const connection = await connectRaw(url)
    connection.write(chunked)
    await arrived(1)
    responses[0]?.end('done')
    await connection.until(/done/)
    connection.write('zz\r\n')
    expect(statuses(await connection.closed())).toEqual([200])
    expect(told).toEqual([])
  })

  it('that never ends is 408, and what comes on that connection then is not served', async () => {
    const { connection, paths, responses, isLate, server } = await slowBody()
    await isLate
    const hasCome = once(server, 'request')
    connection.write(`bc${get('/smuggled')}`)
    await hasCome
    responses[0]?.end('refused')
    expect(statuses(await connection.closed())).toEqual([200])
    expect(paths).toEqual(['/slow'])
  })

  it('that has begun to be answered, and then is late, ends the connection for whatever comes', async () => {
    const { connection, responses, isLate, server, told } = await slowBody()
    responses[0]?.write('one, ')
    await isLate
    const hasCome = once(server, 'connect')
    connection.write(`bc${connect}`)
    await hasCome
    responses[0]?.end('two')
    expect(statuses(await connection.closed())).toEqual([200])
    expect(told).toEqual([])
  })

  it('that ends with its client is nobody’s to be told', async () => {
    const { url, responses, arrived, told } = await held()
    const connection = await connectRaw(url)
    connection.write(chunked)
    await arrived(1)
    const isOver = new Promise((resolve) => responses[0]?.once('close', resolve))
    connection.socket.end()
    await isOver
    expect(responses[0]?.writableFinished).toBe(false)
    expect(await connection.closed()).toBe('')
    expect(told).toEqual([])
  })
})

describe('a client', () => {
  it('that is late with its headers is 408, once', async () => {
    const { url, told } = await held({ headersMs: 100 })
    const connection = await connectRaw(url)
    connection.write('GET / HTTP/1.1\r\nHost: ')
    const text = await connection.closed()
    expect(statuses(text)).toEqual([408])
    expect(text).toContain('"code":"request_timeout"')
    expect(told).toMatchObject([{ status: 408, fault: 'ERR_HTTP_REQUEST_TIMEOUT' }])
  })

  it('that is late with its headers has not made a request, even if it ends them then', async () => {
    const { url, paths, server } = await held({ headersMs: 100 })
    const connection = await connectRaw(url)
    connection.write('GET /late HTTP/1.1\r\nHost: ')
    await connection.until(/request_timeout/)
    const hasCome = once(server, 'request')
    connection.write('a\r\n\r\n')
    await hasCome
    expect(statuses(await connection.closed())).toEqual([408])
    expect(paths).toEqual([])
  })

  it('that resets its connection is told nothing, and nobody is told of it', async () => {
    const { url, arrived, responses, told, server } = await held()
    const connection = await connectRaw(url)
    connection.write(get('/1'))
    await arrived(1)
    const isOver = new Promise((resolve) => responses[0]?.once('close', resolve))
    connection.socket.resetAndDestroy()
    await isOver
    expect(told).toEqual([])
    const next = await connectRaw(url)
    next.write(get('/2'))
    await arrived(2)
    responses[1]?.end('here')
    await next.until(/here/)
    expect(server.listening).toBe(true)
  })

  it('that resets its connection behind CONNECT harms nobody', async () => {
    const { url, server, arrived, responses, told } = await held()
    const connection = await connectRaw(url)
    const hasCome = once(server, 'connect')
    connection.write(get('/1') + connect)
    await arrived(1)
    await hasCome
    const isOver = new Promise((resolve) => responses[0]?.once('close', resolve))
    connection.socket.resetAndDestroy()
    await isOver
    expect(told).toEqual([])
  })

  it.each([
    ['garbage', garbage, 400],
    ['CONNECT', connect, 405],
  ])('that sends much behind its fault still gets its answer (%s)', async (_name, text, status) => {
    const { url } = await held()
    const connection = await connectRaw(url)
    connection.write(text + 'x'.repeat(8 * 1024 * 1024))
    expect(statuses(await connection.closed())).toEqual([status])
  })

  it.each([
    ['garbage', garbage],
    ['CONNECT', connect],
  ])('that never ends its side is not waited for (%s)', async (_name, text) => {
    const { url } = await held()
    const socket = connectTo({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.resume()
    socket.write(text)
    const isClosed = new Promise((resolve) => socket.once('close', resolve))
    await once(socket, 'end')
    // Only a reset tells a client of which nothing is to come that the connection is gone.
    const more = setInterval(() => socket.write(text), 20)
    await isClosed
    clearInterval(more)
  })
})
