import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createApiSlots, requestBounds } from '../../../../src/service/api/http/limits/api-slots.ts'
import type { SlotBounds } from '../../../../src/service/api/http/limits/request-slots.ts'
import { errorHandler } from '../../../../src/service/api/http/middleware/error-handler.ts'
import { createListener } from '../../../../src/service/api/http/server/connection-bounds.ts'
import { connectRaw, statuses } from '../../../support/raw-client.ts'

let stop = () => {}
afterEach(() => stop())

/** Slots whose requests hold them until they are let go, with what was logged. */
async function slots(bounds: Partial<SlotBounds>) {
  const seen = new EventEmitter()
  const worked: string[] = []
  const logged: object[] = []
  const log = { debug() {}, info() {}, error() {}, warn: (fields: object) => void logged.push(fields) }
  const clock = { now: 0 }
  const slotOf = createApiSlots(
    { ...requestBounds, atOnce: 1, waiting: 1, waitMs: 60_000, slowBodyMs: 60_000, ...bounds },
    { log, now: () => clock.now },
  )
  const app = express()
  app.use((request, _response, next) => {
    seen.emit(`${request.path.slice(1)} came`)
    next()
  })
  app.get('/:name', (request, response) => {
    const { name } = request.params
    response.once('close', () => seen.emit(`${name} left`))
    return slotOf(request, response, 'token').run(1n, async () => {
      worked.push(name)
      seen.emit(`${name} is inside`)
      await once(seen, `let ${name} go`)
      response.end(name)
    })
  })
  app.post('/:name', (request, response) => {
    const { name } = request.params
    return slotOf(request, response, 'token').run(1n, async () => {
      request.on('data', () => seen.emit(`${name} is read`))
      await once(request, 'end').catch(() => {})
      response.end(name)
    })
  })
  app.use(errorHandler(log))
  const server = createListener(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stop = () => {
    server.closeAllConnections()
    server.close()
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  async function come(name: string) {
    const came = once(seen, `${name} came`)
    const connection = await connectRaw(url)
    connection.write(`GET /${name} HTTP/1.1\r\nHost: a\r\n\r\n`)
    await came
    return connection
  }
  /** Ends the request's work, once it has begun. */
  async function letGo(name: string) {
    await vi.waitFor(() => expect(worked).toContain(name), 20_000)
    seen.emit(`let ${name} go`)
  }
  return { url, come, letGo, seen, worked, logged, clock }
}

it('does not serve clients that disconnected while they waited', async () => {
  const { come, letGo, seen, worked } = await slots({})
  const first = await come('first')
  const leaving = await come('leaving')
  const left = once(seen, 'leaving left')
  leaving.end()
  await left
  await letGo('first')
  await first.until(/first/)
  const next = await come('next')
  await letGo('next')
  expect(statuses(await next.until(/next/))).toEqual([200])
  expect(worked).toEqual(['first', 'next'])
})

it('keeps the slot of a client that disconnected until the work for it ends', async () => {
  const { come, letGo, seen, worked } = await slots({ waiting: 0 })
  const first = await come('first')
  const left = once(seen, 'first left')
  first.end()
  await left
  expect(statuses(await (await come('second')).until(/unavailable/))).toEqual([503])
  await letGo('first')
  const third = await come('third')
  await letGo('third')
  expect(statuses(await third.until(/third/))).toEqual([200])
  expect(worked).toEqual(['first', 'third'])
})

describe('a request whose body does not arrive', () => {
  const slow = 'POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n'

  async function reading(bounds: Partial<SlotBounds>) {
    const opened = await slots({ slowBodyMs: 2_000, ...bounds })
    const isRead = once(opened.seen, 'slow is read')
    const connection = await connectRaw(opened.url)
    connection.write(`${slow}half`)
    await isRead
    return { ...opened, connection }
  }

  it.each([0, 1])(
    'loses its slot to the next request after the time limit, with room for %i in the queue',
    async (waiting) => {
      const { come, letGo, connection, clock } = await reading({ waiting })
      clock.now += 2_000
      const next = await come('next')
      expect(await connection.closed()).toBe('')
      if (waiting === 0) return expect(statuses(await next.until(/unavailable/))).toEqual([503])
      await letGo('next')
      expect(statuses(await next.until(/next/))).toEqual([200])
    },
  )

  it('keeps its slot until the time limit', async () => {
    const { come, connection, clock } = await reading({ waiting: 0 })
    clock.now += 1_999
    expect(statuses(await (await come('next')).until(/unavailable/))).toEqual([503])
    connection.write('-rest')
    expect(statuses(await connection.until(/slow/))).toEqual([200])
  })

  it('differs from work that takes long, which keeps its slot', async () => {
    const { come, letGo, clock } = await slots({ waiting: 0, slowBodyMs: 2_000 })
    const first = await come('first')
    clock.now += 99_000
    expect(statuses(await (await come('next')).until(/unavailable/))).toEqual([503])
    await letGo('first')
    expect(statuses(await first.until(/first/))).toEqual([200])
  })
})

it('lets refused clients retry after 2 to 10 seconds, not all after the same time', async () => {
  const { come } = await slots({ waiting: 0 })
  await come('first')
  const waits: number[] = []
  for (let n = 0; n < 40; n++) {
    waits.push(Number(/Retry-After: (\d+)/.exec(await (await come(`${n}`)).until(/unavailable/))?.[1]))
  }
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(2)
  expect(Math.max(...waits)).toBeLessThanOrEqual(10)
  expect(new Set(waits).size).toBeGreaterThan(1)
})

it('logs once a second how many it refused', async () => {
  const { come, logged, clock } = await slots({ waiting: 0 })
  await come('first')
  for (const name of ['a', 'b', 'c']) await (await come(name)).until(/unavailable/)
  expect(logged).toEqual([{ refused: 1 }])
  clock.now += 1_000
  await (await come('d')).until(/unavailable/)
  expect(logged).toEqual([{ refused: 1 }, { refused: 3 }])
})
