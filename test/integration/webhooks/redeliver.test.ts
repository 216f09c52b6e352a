import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type RedeliverDeps, redeliver } from '../../../src/service/github/recovery/redeliver.ts'
import { hour, minute } from '../../support/clock.ts'
import { faults } from '../../support/github/faults.ts'
import { silentLog } from '../../support/log.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { appOf, hookUp, read, record } from './recovery.ts'

let service: TestService
let deps: RedeliverDeps
let repository: TestRepository

// One each: what is kept of deliveries is of the whole App.
beforeEach(async () => {
  await service?.stop()
  service = await startTestService({ githubApp: true })
  deps = { db: service.db, app: appOf(service), log: silentLog, now: service.clock.now }
  repository = service.newRepository()
  hookUp(service)
})
afterAll(() => service.stop())

async function pass() {
  const counts = await redeliver(deps)
  await service.github.settled()
  return counts
}

async function lose(branch: string, count = 1) {
  service.github.loseNext(count)
  const { id } = repository
  await service.github.deliver('delete', {
    ref: branch,
    ref_type: 'branch',
    repository: { id: Number(id), pushed_at: null },
  })
}

const attempts = () => service.github.requests.filter((path) => path.endsWith('/attempts')).length
const listings = () => service.github.requests.filter((path) => path.includes('deliveries?')).length

describe('lost deliveries', () => {
  it('are redelivered and handled', async () => {
    const id = await record(repository)
    await lose('feat')
    expect(await read(repository, id)).toMatchObject({ status: 'active' })
    expect(await pass()).toEqual({ failed: 1, asked: 1, stopped: 0, busy: 0 })
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'branch_deleted' })
  })

  it('that were handled since are not requested', async () => {
    await lose('feat')
    const [lost] = service.github.data.deliveries
    await service.github.redeliver(lost ?? expect.fail())
    expect(await pass()).toMatchObject({ failed: 0, asked: 0 })
    expect(attempts()).toBe(0)
  })

  it.each([
    ['events', 'create', { ref: 'feat', ref_type: 'branch' }],
    ['actions', 'pull_request', { action: 'labeled', repository: { id: 1 } }],
  ])('of %s that are not registered are not requested', async (_name, event, payload) => {
    service.github.loseNext()
    await service.github.deliver(event, payload)
    expect(await pass()).toMatchObject({ failed: 0, asked: 0 })
  })

  it('of registered actions are requested', async () => {
    service.github.loseNext()
    await service.github.deliver('pull_request', { action: 'closed', repository: { id: 1 } })
    expect(await pass()).toMatchObject({ failed: 1, asked: 1 })
  })

  it('are requested at most once an hour and five times in all', async () => {
    await lose('feat', 100)
    for (let passes = 0; passes < 6; passes++) await pass().then(() => service.clock.advance(10 * minute - 1))
    expect(attempts()).toBe(1)
    service.clock.advance(6)
    await pass()
    expect(attempts()).toBe(2)
    for (let passes = 0; passes < 30; passes++) await pass().then(() => service.clock.advance(hour / 2))
    expect(attempts()).toBe(5)
  })

  it('are requested once by two concurrent instances', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, n) => lose(`feat-${n}`)))
    await Promise.all([redeliver(deps), redeliver({ ...deps, app: appOf(service) }), redeliver(deps)])
    expect(attempts()).toBe(8)
    expect(listings()).toBe(1)
  })

  it('of one event are requested once', async () => {
    await lose('feat')
    service.github.loseNext()
    const [lost] = service.github.data.deliveries
    await service.github.redeliver(lost ?? expect.fail())
    expect(await pass()).toMatchObject({ failed: 1, asked: 1 })
  })

  it('are requested in the next pass if GitHub failed halfway', async () => {
    for (let n = 0; n < 4; n++) await lose(`feat-${n}`)
    const heal = service.github.fail(faults.unicorn(), { method: 'POST', path: '/app/hook' })
    expect(await pass()).toEqual({ failed: 4, asked: 0, stopped: 1, busy: 0 })
    heal()
    service.clock.advance(10 * minute)
    service.github.fail(faults.reset(), { path: '/app/hook/deliveries?', times: 1 })
    expect(await pass()).toMatchObject({ asked: 0, stopped: 1 })
    service.clock.advance(10 * minute)
    expect(await pass()).toEqual({ failed: 4, asked: 4, stopped: 0, busy: 0 })
  })

  it.each([
    ['spent', faults.primaryLimit()],
    ['of the secondary kind', faults.secondaryLimit(null)],
  ])('wait for a rate limit that is %s', async (_name, fault) => {
    for (let n = 0; n < 4; n++) await lose(`feat-${n}`)
    service.github.fail(fault, { method: 'POST', path: '/app/hook' })
    expect(await pass()).toMatchObject({ asked: 0, stopped: 1 })
    expect(attempts()).toBe(1)
    service.github.heal()
    expect(await pass()).toMatchObject({ asked: 4 })
  })

  it('are found on every page of the list, and later listed back to the saved position, and no further', async () => {
    for (let n = 0; n < 101; n++) await lose(`feat-${n}`)
    expect(await pass()).toMatchObject({ failed: 101, asked: 101 })
    expect(listings()).toBe(2)
    service.clock.advance(10 * minute)
    await pass()
    const before = listings()
    service.clock.advance(10 * minute)
    await lose('later')
    expect(await pass()).toMatchObject({ failed: 1, asked: 1 })
    expect(listings()).toBe(before + 1)
  })

  it('of a deletion leave the work on a new branch of the same name', async () => {
    service.github.loseNext()
    const about = { id: Number(repository.id), pushed_at: service.clock.now().toISOString() }
    await service.github.deliver('delete', { ref: 'feat', ref_type: 'branch', repository: about })
    service.clock.advance(minute)
    const id = await record(repository)
    expect(await pass()).toMatchObject({ asked: 1 })
    expect(service.github.data.deliveries.at(-1)).toMatchObject({ redelivery: true, statusCode: 200 })
    expect(await read(repository, id)).toMatchObject({ status: 'active' })
  })

  it('are not requested while the service stops', async () => {
    await lose('feat')
    expect(await redeliver({ ...deps, signal: AbortSignal.abort() })).toMatchObject({ asked: 0, stopped: 1 })
    expect(await pass()).toMatchObject({ asked: 1 })
  })
})

describe('a lease', () => {
  it('of an instance that crashed is free again once it expires', async () => {
    await lose('feat')
    const lease = (ms: number) =>
      service.db.query(
        `insert into leases values ('redeliver', 'somebody', now() + $1 * interval '1 millisecond')
         on conflict (name) do update set expires_at = excluded.expires_at`,
        [ms],
      )
    await lease(60_000)
    expect(await pass()).toEqual({ failed: 0, asked: 0, stopped: 0, busy: 1 })
    await lease(-1)
    expect(await pass()).toMatchObject({ asked: 1, busy: 0 })
  })
})
