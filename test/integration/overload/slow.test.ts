import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectRaw, statuses } from '../../support/raw-client.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService
let patient: TestService

beforeAll(async () => {
  service = await startTestService({ bounds: { headersMs: 200, requestMs: 400 } })
  patient = await startTestService({ sharedWith: service, bounds: { headersMs: 200, requestMs: 3_600_000 } })
})
afterAll(async () => {
  await patient.stop()
  await service.stop()
})

const isAlive = async () => (await service.call('GET', '/healthz', { headers: { connection: 'close' } })).status === 200

describe('a slow client', () => {
  it('that connects and sends nothing gets 408', async () => {
    const connection = await connectRaw(patient.url)
    expect(statuses(await connection.closed())).toEqual([408])
    expect(await isAlive()).toBe(true)
  })

  it('whose headers never end gets 408', async () => {
    const connection = await connectRaw(patient.url)
    connection.write('GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ')
    const drip = setInterval(() => connection.write('x'), 20)
    expect(statuses(await connection.closed())).toEqual([408])
    clearInterval(drip)
    expect(await isAlive()).toBe(true)
  })

  it.each([
    ['by its length', 'Content-Length: 262145', '{'],
    ['by what came of it', 'Transfer-Encoding: chunked', `40001\r\n${' '.repeat(0x40001)}\r\n`],
  ])('whose body is too large %s gets 413 before the rest of it arrives', async (_, field, sent) => {
    const { path, writer } = service.newRepository()
    const connection = await connectRaw(patient.url)
    const fields = ['Host: localhost', `Authorization: Bearer ${writer}`, 'Content-Type: application/json', field]
    connection.write([`POST /api/v1${path}/notables HTTP/1.1`, ...fields, '', sent].join('\r\n'))
    expect(statuses(await connection.until(/payload_too_large/))).toEqual([413])
    connection.end()
  })

  it('whose body never ends gets 408, and nothing is saved', async () => {
    const { path, writer, page } = service.newRepository()
    const connection = await connectRaw(service.url)
    const fields = [
      'Host: localhost',
      `Authorization: Bearer ${writer}`,
      'Content-Type: application/json',
      'Content-Length: 9999',
    ]
    connection.write(`POST /api/v1${path}/activity HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n{`)
    const drip = setInterval(() => connection.write(' '), 20)
    expect(statuses(await connection.closed())).toEqual([408])
    clearInterval(drip)
    expect((await page('/activity')).items).toEqual([])
  })
})
