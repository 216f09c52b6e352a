import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findAutomaticSuites } from '../../../src/service/report/grants.sql.ts'
import { findQueuedRepositories } from '../../../src/service/report/report-queue.sql.ts'
import { hour, minute, second } from '../../support/clock.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { countingObserver, startObserving } from '../observed/observing.ts'
import { hookUp } from '../webhooks/recovery.ts'

let service: TestService
let owners = 0

beforeAll(async () => {
  service = await startTestService({ githubApp: true, observer: countingObserver(), writesReports: true })
  hookUp(service)
})
afterAll(() => service.stop())
beforeEach(() => service.clock.advance(2 * hour))

/** A repository of an owner with the App. */
function newRepository(): TestRepository {
  const owner = `turns-${++owners}`
  const repository = service.newRepository(owner)
  service.github.install(owner)
  return repository
}

async function open(repository: TestRepository, heads: number, name = 'head'): Promise<void> {
  service.clock.advance(minute)
  for (let n = 1; n <= heads; n++) {
    const files = [{ path: `src/${name}-${n}.ts`, lines: [[1, 2]] as const }]
    await service.github.openPullRequest(repository, { head: `${name}-${n}`, author: 'carol', files })
  }
}

/** The owners of the check runs that were created since this call, in this order. */
function recordOwners(): () => string[] {
  const before = service.github.requests.length
  return () =>
    service.github.requests
      .slice(before)
      .filter((target) => target.endsWith('/check-runs'))
      .map((target) => target.split('/')[2] ?? '')
}

describe('the check runs of several owners', () => {
  it('take turns: one that is due later does not wait for all of another owner', async () => {
    const [busy, other] = [newRepository(), newRepository()]
    await open(busy, 20)
    const begun = service.clock.now().getTime()
    let isOpened = false
    const observing = startObserving(service, {
      async pause(ms) {
        service.clock.advance(ms)
        if (isOpened || service.clock.now().getTime() < begun + 3 * second) return
        isOpened = true
        await open(other, 1)
        await observing.read()
      },
    })
    const written = recordOwners()
    await observing.read()
    await observing.report()
    expect(written().filter((owner) => owner === other.owner)).toHaveLength(1)
    expect(written().filter((owner) => owner === busy.owner)).toHaveLength(20)
    expect(written().indexOf(other.owner)).toBeLessThan(15)
  })

  it('are written for however many owners at once: the pause between two writes holds up no other owner', async () => {
    const busy = Array.from({ length: 6 }, newRepository)
    for (const repository of busy) await open(repository, 3)
    const observing = startObserving(service)
    const written = recordOwners()
    await observing.read()
    await observing.report()
    const order = written()
    expect(order).toHaveLength(18)
    const firsts = busy.map(({ owner }) => order.indexOf(owner))
    const lasts = busy.map(({ owner }) => order.lastIndexOf(owner))
    expect(Math.max(...firsts)).toBeLessThan(Math.min(...lasts))
  })

  it('are due whatever another owner has: its repositories fill no list', async () => {
    const { db, clock } = service
    const mine = 9_000_000_000_000n
    const first = mine - 1_000n
    const names = { owner: 'Large', default_branch: 'main', updated_at: clock.now() }
    const many = Array.from({ length: 300 }, (_, n) => ({ ...names, repository_id: first + BigInt(n), name: `r${n}` }))
    const all = [...many, { ...names, owner: 'small', repository_id: mine, name: 'one' }]
    await db.prisma.repository.createMany({ data: all })
    const observed = { by_app: true, may_write_checks: true }
    await db.prisma.observedRepository.createMany({
      data: all.map((one) => ({ ...observed, repository_id: one.repository_id })),
    })
    for (const { repository_id } of all)
      await db.query('insert into report_marks (repository_id, number, spreads) values ($1, 1, true)', [repository_id])
    for (const found of [await findQueuedRepositories(db, clock.now()), await findAutomaticSuites(db)])
      expect(found.map(({ id }) => id)).toContain(mine)
    await db.query('delete from observed_repositories where repository_id >= $1', [first])
    await db.query('delete from report_marks where repository_id >= $1', [first])
  })
})
