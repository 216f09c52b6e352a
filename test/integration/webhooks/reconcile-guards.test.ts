import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { GithubApp } from '../../../src/service/github/installation/app-client.ts'
import { findRepositoriesToSync } from '../../../src/service/observed/observed-repositories-store.ts'
import { day, hour, minute, second } from '../../support/clock.ts'
import { type Fault, faults } from '../../support/github/faults.ts'
import { failure } from '../../support/github/route.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { nothingSynced, startSyncing } from '../observed/observing.ts'
import { collectingLog } from '../settings/collecting-log.ts'
import { appOf, meanwhile, read, record, recordRequests } from './recovery.ts'

let service: TestService
let syncing: ReturnType<typeof startSyncing>
let log: ReturnType<typeof collectingLog>
let repository: TestRepository

// One each: a pass is over all repositories. Nothing is delivered: the stand-in is told of no hook.
beforeEach(async () => {
  await service?.stop()
  service = await startTestService({ githubApp: true })
  service.github.install('acme')
  repository = service.newRepository()
  log = collectingLog()
  syncing = startSyncing(service, { log })
})
afterAll(() => service.stop())

const pass = ({ app, signal }: { app?: GithubApp; signal?: AbortSignal } = {}) =>
  signal ? startSyncing(service, { log, signal, ...(app ? { app } : {}) }).pass() : syncing.pass(app)
const pathOf = ({ owner, name }: TestRepository, more = '') => new RegExp(`/repos/${owner}/${name}${more}(\\?|$)`, 'i')
const nothing = nothingSynced
const isMerged = { archived_reason: 'merged' }

async function mergeAway(head = 'feat', of = repository) {
  const { number } = await service.github.openPullRequest(of, { head })
  return await service.github.mergePullRequest(of, number)
}

/** A branch that was seen and is gone, when the next pass comes. */
async function vanish(of = repository, branch = 'feat') {
  await service.github.push(of, branch)
  await pass()
  await service.github.deleteBranch(of, branch)
}

describe('a missing response', () => {
  const questions = [
    ['the repository', ''],
    ['its pull requests', '/pulls'],
  ] as const
  const refusal = (status: number): Fault => ({ kind: 'reply', reply: failure(status, 'no') })

  it.each(questions.flatMap(([of, path]) => [403, 404, 451].map((status) => [of, path, status] as const)))(
    'to the request for %s (%s), because the App may not see it (%i), is no failure and changes nothing',
    async (_of, path, status) => {
      const id = await record(repository)
      await vanish()
      await mergeAway()
      service.github.fail(refusal(status), { path: pathOf(repository, path) })
      expect(await pass()).toEqual({ ...nothing, not_visible: 1 })
      expect(log.lines.filter(({ fields }) => fields.level !== 'debug')).toEqual([])
      service.github.heal()
      expect(await read(repository, id)).toMatchObject({ status: 'active' })
    },
  )

  it.each([403, 404, 451])(
    'to the request for its branches (%i) is no failure and archives nothing',
    async (status) => {
      const id = await record(repository)
      await vanish()
      service.github.fail(refusal(status), { path: pathOf(repository, '/git/matching-refs/.*') })
      expect(await pass()).toEqual({ ...nothing, repositories: 1, not_visible: 1 })
      expect(log.lines.filter(({ fields }) => fields.level !== 'debug')).toEqual([])
      service.github.heal()
      expect(await read(repository, id)).toMatchObject({ status: 'active' })
      expect(await pass()).toMatchObject({ branch_deleted: 1 })
    },
  )

  it.each([
    ['an error', faults.unicorn(502)],
    ['a key that it does not know', faults.badCredentials()],
    ['no answer', faults.reset()],
    ['nonsense', faults.nonsense('cut')],
  ])('to the request for pull requests, because of %s, is a failure and changes nothing', async (_name, fault) => {
    const id = await record(repository)
    await vanish()
    service.github.fail(fault, { path: pathOf(repository, '/pulls') })
    expect(await pass()).toEqual({ ...nothing, failed: 1, stopped: 1 })
    const fields = { level: 'warn', repository_id: String(repository.id), reason: expect.any(String) }
    expect(log.lines).toMatchObject([{ fields }])
    service.github.heal()
    expect(await read(repository, id)).toMatchObject({ status: 'active' })
  })

  it.each([
    ['an error', faults.unicorn(502)],
    ['a key that it does not know', faults.badCredentials()],
  ])('to the request for the repository, because of %s, is a failure', async (_name, fault) => {
    await record(repository)
    service.github.fail(fault, { path: pathOf(repository) })
    expect(await pass()).toEqual({ ...nothing, failed: 1, stopped: 1 })
  })

  it('of another shape than GitHub’s is logged as such, without its text', async () => {
    await record(repository)
    service.github.fail({ kind: 'reply', reply: { status: 200, body: { secret: 'words' } } }, { path: /pulls\?/ })
    expect(await pass()).toMatchObject({ failed: 1 })
    expect(log.lines).toMatchObject([{ fields: { reason: expect.stringContaining('another shape') } }])
  })
})

describe('a pass that has to end', () => {
  it('ends during a request, and saves nothing', async () => {
    const id = await record(repository)
    await mergeAway()
    const app = appOf(service, hour)
    const stop = new AbortController()
    service.github.fail(faults.never(), { path: /pulls\?/ })
    const asked = recordRequests(service)
    const passing = pass({ app, signal: stop.signal })
    await expect.poll(() => asked().join()).toContain('/pulls')
    stop.abort()
    expect(await passing).toEqual({ ...nothing, stopped: 1 })
    service.github.heal()
    expect(await pass()).toMatchObject({ merged: 1 })
    expect(await read(repository, id)).toMatchObject(isMerged)
  })

  it('sends no more requests once another instance has taken the lease of the repository', async () => {
    await record(repository)
    await mergeAway()
    const steal = () => service.db.query(`update leases set holder = 'another' where name like 'sync %'`)
    const asked = recordRequests(service)
    expect(await pass({ app: meanwhile(syncing.app, 'GET /repos/{owner}/{repo}', steal) })).toEqual({
      ...nothing,
      stopped: 1,
    })
    expect(asked().filter((path) => /repos\/[^/]+\/[^/]+$/.test(path))).toHaveLength(1)
    expect(asked().filter((path) => path.includes('/pulls'))).toEqual([])
  })

  it('starts the next one with the repositories that waited longest', async () => {
    const all = [repository, service.newRepository(), service.newRepository()]
    await pass()
    const query = 'update observed_repositories set listed_at = $2 where repository_id = $1'
    const ago = [minute, hour, null]
    for (const [n, { id }] of all.entries()) {
      const ms = ago[n] ?? null
      await service.db.query(query, [id, ms === null ? null : new Date(service.clock.now().getTime() - ms)])
    }
    const now = service.clock.now()
    const due = await findRepositoriesToSync(service.db, { listedUntil: now, failedUntil: now })
    expect(due.map((id) => all.findIndex((one) => one.id === id))).toEqual([2, 1, 0])
  })

  it('because of a deadlock is retried', async () => {
    const [first, last] = [await record(repository), await record(repository)]
    await vanish()
    const client = await service.db.pool.connect()
    try {
      await client.query('begin')
      // So that it is the pass that finds the circle.
      await client.query(`set local deadlock_timeout = '20s'`)
      const lock = (id: string) => client.query('select 1 from activities where id = $1 for update', [id])
      await lock(last)
      const passing = pass()
      await waiting()
      await lock(first)
      await client.query('commit')
      expect(await passing).toMatchObject({ branch_deleted: 2, failed: 0 })
    } finally {
      client.release()
    }
  })
})

describe('a rate limit', () => {
  it('belongs to an owner, in any case of their name', async () => {
    const other = service.newRepository()
    service.github.allow(other, repository.writer)
    const { number } = await service.github.openPullRequest(other, { head: 'over-there' })
    await record(repository, { branch: null, pr_url: `https://github.com/ACME/${other.name}/pull/${number}` })
    await record(repository)
    await service.db.query(`update repositories set owner = 'Acme' where repository_id = $1`, [repository.id])
    service.github.fail(faults.secondaryLimit(120), { times: 1, path: /repos\/acme\/[^/]+$/i })
    await pass()
    const asked = recordRequests(service)
    expect(await pass()).toEqual({ ...nothing, paused: 2 })
    expect(asked().filter((path) => /repos\/acme\//i.test(path))).toEqual([])
  })
})

describe('a merge is found', () => {
  it('up to 30 s before its work was recorded', async () => {
    await mergeAway()
    service.clock.advance(30 * second)
    const id = await record(repository)
    expect(await pass()).toMatchObject({ merged: 1 })
    expect(await read(repository, id)).toMatchObject(isMerged)
  })

  it('for the oldest work of a repository, although there is newer work', async () => {
    const id = await record(repository)
    await mergeAway()
    service.clock.advance(hour)
    await record(repository, { branch: 'newer' })
    expect(await pass()).toMatchObject({ merged: 1 })
    expect(await read(repository, id)).toMatchObject(isMerged)
  })

  it('that GitHub lists up to 5 minutes late', async () => {
    const id = await record(repository)
    await pass()
    const pull = await mergeAway()
    service.clock.advance(5 * minute)
    const late = service.github.fail(
      { kind: 'change', change: (reply) => ({ ...reply, body: [] }) },
      { path: /pulls\?/ },
    )
    await pass()
    late()
    expect(pull.updatedAt).toEqual(new Date(service.clock.now().getTime() - 5 * minute))
    expect(await pass()).toMatchObject({ merged: 1 })
    expect(await read(repository, id)).toMatchObject(isMerged)
  })

  it('that comes during the requests, however long they take', async () => {
    const id = await record(repository)
    const app = meanwhile(syncing.app, '/pulls', async () => {
      await mergeAway()
      service.clock.advance(hour)
    })
    expect(await pass({ app })).toMatchObject({ merged: 0 })
    expect(await pass()).toMatchObject({ merged: 1 })
    expect(await read(repository, id)).toMatchObject(isMerged)
  })

  it('of a pull request that is older than many others', async () => {
    const id = await record(repository)
    const { number } = await service.github.openPullRequest(repository, { head: 'feat' })
    for (let n = 0; n < 25; n++) {
      service.clock.advance(second)
      await mergeAway(`feat-${n}`)
    }
    service.clock.advance(hour)
    await pass()
    service.clock.advance(hour)
    await service.github.mergePullRequest(repository, number)
    for (let n = 0; n < 25; n++) {
      service.clock.advance(second)
      await service.github.openPullRequest(repository, { head: `open-${n}` })
    }
    const asked = recordRequests(service)
    expect(await pass()).toMatchObject({ merged: 1 })
    expect(asked().filter((path) => path.includes('/pulls?'))).toHaveLength(1)
    expect(await read(repository, id)).toMatchObject(isMerged)
  })
})

describe('the list of merges', () => {
  it('of several pages costs nothing while it is unchanged', async () => {
    await record(repository, { branch: 'other' })
    for (let n = 0; n < 25; n++) await mergeAway(`feat-${n}`)
    await pass()
    const tokens = [...service.github.data.tokens.values()].filter(({ installationId }) => installationId !== null)
    const used = () => tokens.map(({ limit }) => limit.used)
    const before = used()
    await pass()
    expect(used()).toEqual(before)
  })

  it('goes back to the oldest live work at most, however long ago the last pass was', async () => {
    await record(repository, { branch: 'first' })
    await pass()
    for (let n = 0; n < 45; n++) await mergeAway(`feat-${n}`)
    service.clock.advance(2 * day)
    await record(repository, { branch: 'second' })
    const asked = recordRequests(service)
    await pass()
    expect(asked().filter((path) => path.includes('/pulls?'))).toHaveLength(1)
  })
})

describe('work whose branch was deleted', () => {
  it('and that is moved to another branch during the requests stays live', async () => {
    const id = await record(repository)
    await vanish()
    const move = () => repository.patch(`/activity/${id}`, { branch: 'planned' })
    expect(await pass({ app: meanwhile(syncing.app, 'matching-refs', move) })).toMatchObject({ branch_deleted: 0 })
    expect(await pass()).toMatchObject({ branch_deleted: 0 })
    expect(await read(repository, id)).toMatchObject({ status: 'active', branch: 'planned' })
  })

  it('and that expires during the requests has expired', async () => {
    const id = await record(repository)
    await vanish()
    const app = meanwhile(syncing.app, 'matching-refs', () => service.clock.advance(2 * day))
    expect(await pass({ app })).toMatchObject({ branch_deleted: 0 })
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'expired' })
  })
})

describe('a repository that is transferred', () => {
  const kept = async () => {
    const query = 'select owner, name, default_branch, updated_at from repositories where repository_id = $1'
    return (await service.db.query(query, [repository.id])).rows
  }

  it('to another owner is found there', async () => {
    await record(repository)
    service.github.install('elsewhere')
    await service.github.transferRepository(repository, 'elsewhere')
    service.clock.advance(hour)
    const began = service.clock.now()
    const app = meanwhile(syncing.app, '/pulls', () => service.clock.advance(minute))
    await pass({ app })
    expect(await kept()).toEqual([
      { owner: 'elsewhere', name: repository.name, default_branch: 'main', updated_at: began },
    ])
  })
})

/** Until a transaction of the service waits for a lock. */
async function waiting(): Promise<void> {
  const query = `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await expect
    .poll(async () => (await service.db.query<{ count: number }>(query)).rows[0]?.count, { interval: 5 })
    .toBe(1)
}
