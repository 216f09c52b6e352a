import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type RedeliverDeps, redeliver } from '../../../src/service/github/recovery/redeliver.ts'
import { day, hour, minute } from '../../support/clock.ts'
import { type Fault, faults } from '../../support/github/faults.ts'
import { failure } from '../../support/github/route.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { collectingLog } from '../settings/collecting-log.ts'
import { appOf, hookUp } from './recovery.ts'

let service: TestService
let deps: RedeliverDeps & { log: ReturnType<typeof collectingLog> }
let repository: TestRepository

// One each: what is kept of deliveries is of the whole App.
beforeEach(async () => {
  await service?.stop()
  service = await startTestService({ githubApp: true })
  deps = { db: service.db, app: appOf(service), log: collectingLog(), now: service.clock.now }
  repository = service.newRepository()
  hookUp(service)
})
afterAll(() => service.stop())

async function pass(changes: Partial<RedeliverDeps> = {}) {
  const counts = await redeliver({ ...deps, ...changes })
  await service.github.settled()
  return counts
}

async function lose(count = 1) {
  for (let n = 0; n < count; n++) {
    service.github.loseNext()
    const about = { id: Number(repository.id), pushed_at: null }
    await service.github.deliver('delete', { ref: `feat-${n}`, ref_type: 'branch', repository: about })
  }
}

const attempts = () => service.github.requests.filter((path) => path.endsWith('/attempts')).length
const listing = { method: 'GET', path: '/app/hook/deliveries' }
const recordRequests = { method: 'POST', path: '/app/hook/deliveries' }
const isStopped = { asked: 0, stopped: 1 }

/** Little is left of a limit of the App's. */
const nearTheLimit = (): Fault => ({
  kind: 'change',
  change: (reply) => ({
    ...reply,
    headers: { ...reply.headers, 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '500' },
  }),
})

/** Takes the lease away once GitHub has answered such a question. */
function stolen(method: string): RedeliverDeps['app'] {
  return {
    ...deps.app,
    async requestAsApp(question) {
      const response = await deps.app.requestAsApp(question)
      const query = `update leases set holder = 'another' where name = 'redeliver'`
      if (question.route.startsWith(method)) await service.db.query(query)
      return response
    },
  }
}

describe('the list of lost deliveries', () => {
  it.each([
    ['with a key that it does not know', faults.badCredentials()],
    ['with an error', faults.unicorn(502)],
    ['with an error that looks like an answer', { kind: 'change', change: (reply) => ({ ...reply, status: 500 }) }],
    ['with nonsense', faults.nonsense('no_id')],
    ['while little of the limit is left', nearTheLimit()],
  ] satisfies [string, Fault][])('that GitHub answers %s is left for the next pass', async (_name, fault) => {
    await lose()
    service.github.fail(fault, listing)
    expect(await pass()).toMatchObject(isStopped)
    expect(deps.log.lines).toMatchObject([{ fields: { level: 'warn' } }])
    expect(attempts()).toBe(0)
    service.github.heal()
    expect(await pass()).toMatchObject({ asked: 1, stopped: 0 })
  })

  it('is read except for an unreadable entry, which is logged', async () => {
    await lose(2)
    const spoil: Fault = {
      kind: 'change',
      change: (reply) => ({ ...reply, body: [{ id: 'none' }, ...(Array.isArray(reply.body) ? reply.body : [])] }),
    }
    service.github.fail(spoil, listing)
    expect(await pass()).toMatchObject({ failed: 2, asked: 2 })
    expect(deps.log.lines).toMatchObject([{ fields: { level: 'warn', unreadable: 1 } }])
  })

  it('is left to another instance that has taken the lease', async () => {
    await lose()
    expect(await pass({ app: stolen('GET') })).toMatchObject(isStopped)
    expect(attempts()).toBe(0)
  })
})

describe('requesting redeliveries', () => {
  it.each([
    ['a key that it does not know', faults.badCredentials()],
    ['an error', faults.unicorn(500)],
    ['no answer', faults.reset()],
  ])('ends at %s, and does not count', async (_name, fault) => {
    await lose(3)
    service.github.fail(fault, recordRequests)
    for (let passes = 1; passes <= 6; passes++) {
      expect(await pass()).toMatchObject(isStopped)
      expect(attempts()).toBe(passes)
    }
    service.github.heal()
    expect(await pass()).toMatchObject({ asked: 3, stopped: 0 })
  })

  it('ends while the rate limit is almost spent: accepted requests count', async () => {
    await lose(2)
    service.github.loseNext(2)
    service.github.fail(nearTheLimit(), recordRequests)
    expect(await pass()).toMatchObject({ asked: 1, stopped: 1 })
    expect(await pass()).toMatchObject({ asked: 1, stopped: 1 })
    expect(await pass()).toMatchObject({ asked: 0, stopped: 0 })
    expect(attempts()).toBe(2)
  })

  it('continues after a delivery that GitHub no longer has, which counts', async () => {
    await lose(2)
    service.github.fail({ kind: 'reply', reply: failure(404, 'Not Found') }, recordRequests)
    expect(await pass()).toMatchObject({ asked: 0, stopped: 0 })
    expect(await pass()).toMatchObject({ asked: 0, stopped: 0 })
    expect(attempts()).toBe(2)
  })

  it('ends once another instance has taken the lease', async () => {
    await lose(3)
    expect(await pass({ app: stolen('POST') })).toMatchObject({ asked: 1, stopped: 1 })
    expect(attempts()).toBe(1)
  })
})

describe('the saved position', () => {
  const mark = async () => {
    const { rows } = await service.db.query(`select value from service_facts where name = 'deliveries_seen_until'`)
    return rows[0]?.value
  }
  const now = () => service.clock.now().toISOString()

  it('stays at an open delivery, and moves on after its last attempt', async () => {
    await lose()
    const lost = now()
    service.github.loseNext(100)
    for (let asked = 1; asked <= 5; asked++) {
      service.clock.advance(minute)
      expect(await pass()).toMatchObject({ failed: 1, asked: 1 })
      service.clock.advance(hour)
    }
    expect(Date.parse(await mark())).toBe(Date.parse(lost))
    await pass()
    expect(await mark()).toBe(now())
  })

  it('stays if the pass ended early', async () => {
    await pass()
    const before = await mark()
    service.clock.advance(day)
    await lose()
    service.github.fail(faults.unicorn(502), recordRequests)
    await pass()
    expect(await mark()).toBe(before)
  })
})
