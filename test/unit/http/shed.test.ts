import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { afterEach, expect, it } from 'vitest'
import { createListener } from '../../../src/http/listener.ts'
import { createShed, type ShedBounds } from '../../../src/http/shed.ts'
import { connectRaw, statuses } from '../../support/raw-client.ts'

let stop = () => {}
afterEach(() => stop())

/** A door whose requests stay inside until they are let go, with what was logged. */
async function door(bounds: Partial<ShedBounds>) {
  const seen = new EventEmitter()
  const worked: string[] = []
  const logged: object[] = []
  const log = { debug() {}, info() {}, error() {}, warn: (fields: object) => void logged.push(fields) }
  const clock = { now: 0 }
  const { admit } = createShed(
    { atOnce: 1, waiting: 1, waitMs: 60_000, slowBodyMs: 60_000, ...bounds },
    { log, now: () => clock.now, unread: { watch() {} } },
  )
  const app = express()
  app.get('/:name', (request, response) => {
    const { name } = request.params
    response.once('close', () => seen.emit(`${name} left`))
    seen.emit(`${name} came`)
    return admit(request, response, async () => {
      worked.push(name)
      seen.emit(`${name} is inside`)
      await once(seen, `let ${name} go`)
      response.end(name)
    })
  })
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
  return { come, seen, worked, logged, clock }
}

it('does not work for those who left while they waited', async () => {
  const { come, seen, worked } = await door({})
  const first = await come('first')
  const leaving = await come('leaving')
  const left = once(seen, 'leaving left')
  leaving.end()
  await left
  seen.emit('let first go')
  await first.until(/first/)
  const next = await come('next')
  seen.emit('let next go')
  expect(statuses(await next.until(/next/))).toEqual([200])
  expect(worked).toEqual(['first', 'next'])
})

it('keeps the place of one who left while being worked for, until that work is over', async () => {
  const { come, seen, worked } = await door({ waiting: 0 })
  const first = await come('first')
  const left = once(seen, 'first left')
  first.end()
  await left
  expect(statuses(await (await come('second')).until(/unavailable/))).toEqual([503])
  seen.emit('let first go')
  const third = await come('third')
  seen.emit('let third go')
  expect(statuses(await third.until(/third/))).toEqual([200])
  expect(worked).toEqual(['first', 'third'])
})

it('says the longer to stay away, the more were refused for each that was served', async () => {
  const { come } = await door({ waiting: 0 })
  await come('first')
  const waits: (string | undefined)[] = []
  for (const name of ['a', 'b', 'c']) {
    waits.push(/Retry-After: (\d+)/.exec(await (await come(name)).until(/unavailable/))?.[1])
  }
  expect(waits).toEqual(['1', '2', '3'])
})

it('logs once a second how many it refused', async () => {
  const { come, logged, clock } = await door({ waiting: 0 })
  await come('first')
  for (const name of ['a', 'b', 'c']) await (await come(name)).until(/unavailable/)
  expect(logged).toEqual([{ refused: 1 }])
  clock.now += 1_000
  await (await come('d')).until(/unavailable/)
  expect(logged).toEqual([{ refused: 1 }, { refused: 3 }])
})
