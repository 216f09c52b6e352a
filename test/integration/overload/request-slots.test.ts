import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { SlotBounds } from '../../../src/service/api/http/limits/request-slots.ts'
import type { Log } from '../../../src/service/lib/log.ts'
import { type ApiResponse, errorOf, refusal } from '../../support/client.ts'
import { deliver, repositoryPayload, secret } from '../../support/deliveries.ts'
import { silentLog } from '../../support/log.ts'
import { connectRaw, statuses } from '../../support/raw-client.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { collectingLog } from '../settings/collecting-log.ts'
import { holdActivities } from './held-table.ts'

const minute = 60_000
const tight: SlotBounds = { atOnce: 1, waiting: 1, waitMs: minute, longWaitMs: minute, slowBodyMs: minute }
const tooBusy = { status: 503, code: 'unavailable' }

let service: TestService
let occupant: Promise<ApiResponse> | undefined
let held: Awaited<ReturnType<typeof holdActivities>> | undefined
const services: TestService[] = []

/** The same service through a door with other bounds. */
async function bounded(
  bounds: { requests?: Partial<SlotBounds>; deliveries?: Partial<SlotBounds> },
  log: Log = silentLog,
) {
  const other = await startTestService({
    sharedWith: service,
    webhookSecret: secret,
    log,
    bounds: { requests: { ...tight, ...bounds.requests }, deliveries: { ...tight, ...bounds.deliveries } },
  })
  services.push(other)
  return other
}

beforeAll(async () => {
  service = await startTestService()
})
afterEach(async () => {
  await release()
  await occupant
  await Promise.all(services.splice(0).map((other) => other.stop()))
})
afterAll(() => service.stop())

/** One request that has the only place, and does not get on until `held` is released. */
async function occupied(repository: TestRepository): Promise<{ first: Promise<ApiResponse> }> {
  await repository.page('/activity')
  held = await holdActivities(service.db)
  const first = repository.get('/activity')
  occupant = first
  await held.untilWaiting(1)
  return { first }
}

const release = async () => {
  await held?.release()
  held = undefined
}

describe('requests beyond the slots', () => {
  it('are 503 immediately with Retry-After, while one may wait', async () => {
    const door = await bounded({})
    const repository = door.newRepository()
    const { first } = await occupied(repository)
    // Which of these two came first is not known: one of them waits.
    const others = [repository.get('/activity'), repository.get('/activity')]
    const refused = await Promise.race(others)
    expect(refusal(refused)).toEqual(tooBusy)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(errorOf(refused).message).toContain('busy')
    await release()
    expect((await first).status).toBe(200)
    expect((await Promise.all(others)).map(({ status }) => status).sort()).toEqual([200, 503])
    expect((await repository.get('/activity')).status).toBe(200)
  })

  it('are refused after access is checked and before their body is read', async () => {
    const door = await bounded({ requests: { waiting: 0 } })
    const repository = door.newRepository()
    await occupied(repository)
    expect(refusal(await repository.get('/activity', { token: null }))).toEqual({
      status: 401,
      code: 'unauthenticated',
    })
    const unseen = await repository.get('/activity', { token: repository.stranger })
    expect(refusal(unseen)).toEqual({ status: 404, code: 'not_found' })
    expect(refusal(await door.newRepository().get('/activity'))).toEqual(tooBusy)
    const connection = await connectRaw(door.url)
    const start = `POST /api/v1${repository.path}/activity HTTP/1.1\r\nHost: a\r\n`
    connection.write(`${start}Authorization: Bearer ${repository.writer}\r\nContent-Length: 99\r\n\r\n`)
    expect(statuses(await connection.until(/unavailable/))).toEqual([503])
    connection.end()
  })

  it('are 503 after the time limit of the wait', async () => {
    const door = await bounded({ requests: { waitMs: 20 } })
    const repository = door.newRepository()
    const { first } = await occupied(repository)
    expect(refusal(await repository.get('/activity'))).toEqual(tooBusy)
    await release()
    expect((await first).status).toBe(200)
  })

  it('are logged one by one as every request, and together in one warning a second', async () => {
    const log = collectingLog()
    const door = await bounded({ requests: { waiting: 0 } }, log)
    const repository = door.newRepository()
    const { first } = await occupied(repository)
    log.lines.length = 0
    const tokens = [repository.reader, repository.writer]
    for (const token of tokens) expect(refusal(await repository.get('/activity', { token }))).toEqual(tooBusy)
    await release()
    await first
    const said = (message: string) => log.lines.filter((line) => line.message === message).map(({ fields }) => fields)
    await vi.waitFor(() => expect(said('request').map(({ status }) => status)).toEqual([503, 503, 200]), 20_000)
    expect(said('too busy: requests were refused')).toContainEqual({ level: 'warn', refused: 1 })
    expect(said('request refused for now')).toEqual([])
  })

  it('do not affect the probes, the webhooks and the pages', async () => {
    const door = await bounded({ requests: { waiting: 0 } })
    const repository = door.newRepository()
    await occupied(repository)
    for (const path of ['/healthz', '/readyz']) expect((await door.call('GET', path)).status).toBe(200)
    expect((await fetch(`${door.url}/docs`)).status).toBe(200)
    expect((await deliver(door, 'ping', { zen: 'Keep it logically awesome.' })).status).toBe(200)
    expect(refusal(await repository.get('/activity'))).toEqual(tooBusy)
  })

  it.each([0, 1])('are 503 through MCP too, with room for %i in the queue', async (waiting) => {
    const door = await bounded({ requests: { waiting, waitMs: 20, longWaitMs: 20 } })
    const repository = door.newRepository()
    await occupied(repository)
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const answer = await door.call('POST', '/mcp', { body: ping, token: repository.writer })
    const { status, code } = tooBusy
    expect(answer).toMatchObject({
      status,
      body: { jsonrpc: '2.0', error: { code: -32000, data: { code } }, id: null },
    })
  })
})

describe('a request whose body arrives slowly', () => {
  it('loses its slot to another request', async () => {
    const door = await bounded({ requests: { waiting: 0, slowBodyMs: 0 } })
    const repository = door.newRepository()
    const connection = await connectRaw(door.url)
    const fields = ['Host: a', `Authorization: Bearer ${repository.writer}`, 'Content-Type: application/json']
    connection.write(`POST /api/v1${repository.path}/activity HTTP/1.1\r\n${fields.join('\r\n')}\r\n`)
    connection.write('Content-Length: 9999\r\n\r\n{')
    const closed = connection.closed()
    const isOver = vi.fn()
    closed.then(isOver)
    await vi.waitFor(async () => {
      await repository.get('/activity')
      expect(isOver).toHaveBeenCalled()
    }, 20_000)
    expect(statuses(await closed)).toEqual([])
    await vi.waitFor(async () => expect((await repository.get('/activity')).status).toBe(200), 20_000)
  })
})

describe('deliveries beyond the slots', () => {
  it('are 503 while the API is served', async () => {
    const door = await bounded({ deliveries: { waiting: 0 } })
    const repository = door.newRepository()
    await repository.created('/activity', { title: 'A', summary: 'B.', actor: 'Alice', branch: 'feat' })
    held = await holdActivities(service.db)
    const deletion = { ref: 'feat', ref_type: 'branch', repository: repositoryPayload(repository) }
    const first = deliver(door, 'delete', deletion)
    await held.untilWaiting(1)
    const refused = await deliver(door, 'delete', deletion)
    expect(refusal(refused)).toEqual(tooBusy)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await repository.get('/notables')).status).toBe(200)
    await release()
    expect((await first).status).toBe(200)
  })
})
