import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { day } from '../../support/clock.ts'
import { describeOnEachPostgres } from '../../support/each-postgres.ts'
import { query } from '../../support/query.ts'
import { countRowsRead } from '../../support/rows-read.ts'
import type { TestRepository, TestService } from '../../support/service.ts'
import { toldIds } from '../../support/told-ids.ts'

/** The number of rows that a check may read of a table, however many the repository has. */
const few = 40

/** Connections of its own, and none at the start, which the client's secret spares: so all of them are counted. */
const beforeConnecting = { githubClient: 'own', database: {} } as const

/** On a connection without the time limit of the service's statements. */
function analyze({ db }: TestService) {
  return query(db.pool.options.connectionString ?? '', 'analyze')
}

describeOnEachPostgres('few rows are read by', (start) => {
  let service: TestService
  let read: Awaited<ReturnType<typeof countRowsRead>>

  beforeAll(async () => {
    service = await start(beforeConnecting)
    read = await countRowsRead(service.db)
  })
  afterAll(() => service.stop())

  /** Runs a check and counts only its rows. */
  async function checked(repository: TestRepository, body: object) {
    await analyze(service)
    read.reset()
    return repository.check(body)
  }

  describe('a check among 1,000 active notables', () => {
    let repository: TestRepository

    beforeAll(async () => {
      repository = service.newRepository()
      await service.fillNotables(repository, 1_000, (n) => ({
        areas: [`area-${n}`],
        paths: [`legacy/d${n}/**/*.sql`, `legacy/n${n}.md`],
      }))
    })

    it.each([
      ['paths', { scope: { paths: ['src/login.ts', 'docs/**'] } }],
      ['an open beginning', { scope: { paths: ['**/login.ts'] } }],
      ['an area', { scope: { areas: ['login'] } }],
      ['no scope', {}],
    ])('reads none of them if none matches: %s', async (_, body) => {
      expect(await checked(repository, body)).toMatchObject({ related_notable_ids: [], overlap_detected: false })
      // One row to find out whether there are any.
      expect(read.of('notables')).toBeLessThanOrEqual(1)
      expect(read.of('notable_scope_keys')).toBeLessThanOrEqual(few)
    })

    it('reads only the ones that match', async () => {
      for (const scope of [{ paths: ['legacy/d7/x.sql'] }, { paths: ['legacy/n7.md'] }, { areas: ['AREA-7'] }]) {
        const { related_notable_ids } = await checked(repository, { scope })
        expect(related_notable_ids.length).toBeGreaterThan(0)
        expect(read.of('notables')).toBeLessThanOrEqual(1 + related_notable_ids.length)
      }
    })

    it('reads no notables of another repository, also by a plan that was made while the index was empty', async () => {
      const own = await start(beforeConnecting)
      const ownRead = await countRowsRead(own.db)
      const [here, there] = [own.newRepository(), own.newRepository()]
      await here.raised({ scope: { paths: ['docs/**'] } })
      await analyze(own)
      for (let n = 0; n < 20; n++) await here.check({ scope: { paths: ['src/a.ts', 'lib/**'] } })
      const paths = (n: number) => Array.from({ length: 10 }, (_, m) => `src/d${n}/${m}/**`)
      await own.fillNotables(there, 1_000, (n) => ({ areas: [], paths: paths(n) }))
      // The sizes of tables are read once a second.
      await sleep(1_000)
      ownRead.reset()
      await here.check({ scope: { paths: ['src/a.ts', 'lib/**'] } })
      expect(ownRead.of('notable_scope_keys')).toBeLessThanOrEqual(few)
      expect(ownRead.of('notables')).toBeLessThanOrEqual(few)
      await own.stop()
    })

    it('removes the index entries of a notable that has ended, however it ended', async () => {
      const other = service.newRepository()
      const scope = { paths: ['src/**'] }
      const [first, second] = [await other.raised({ scope }), await other.raised({ scope })]
      const { id } = await other.raised({ scope, supersedes: [first.id] })
      await other.post(`/notables/${second.id}/archive`)
      expect((await checked(other, { scope })).related_notable_ids).toEqual([id])
      expect(await indexed(other)).toEqual([id])
      service.clock.advance(8 * day)
      const [third, fourth] = [await other.raised({ scope }), await other.raised({ scope })]
      await sweep(service.db, { now: service.clock.now(), retentionMs: 30 * day })
      expect(await indexed(other)).toEqual([third.id, fourth.id])
      service.clock.advance(8 * day)
      await other.patch(`/notables/${third.id}`, { summary: 'Later.' })
      expect(await indexed(other)).toEqual([fourth.id])
    })
  })

  async function indexed({ id }: TestRepository): Promise<string[]> {
    const { rows } = await service.db.query<{ notable_id: string }>(
      'select notable_id from notable_scope_keys where repository_id = $1 order by 1',
      [id],
    )
    return rows.map(({ notable_id }) => notable_id)
  }

  describe('a check among 5,000 live activities of one branch', () => {
    const count = 5_000
    let repository: TestRepository
    let ids: string[]

    beforeAll(async () => {
      repository = service.newRepository()
      await service.fill(repository, count, ['src/**'])
      ids = await setBranches(repository, 'shared', 'lower')
    })

    /** Of all activities, whose ids it returns. In parts, as they were filled: a statement has a time limit. */
    async function setBranches({ id }: TestRepository, branch: string, base: string): Promise<string[]> {
      const changed: string[] = []
      for (let parts = 0; parts < count; parts += 250) {
        const { rows } = await service.db.query<{ id: string }>(
          `update activities set branch = $2, base_branch = $3 where repository_id = $1 and id = any(array(
             select id from activities where repository_id = $1 and branch is null limit 250)) returning id`,
          [id, branch, base],
        )
        changed.push(...rows.map((row) => row.id))
      }
      return changed.sort()
    }

    const elsewhere = { scope: { paths: ['docs/a.md'] } }
    const newest = () => ids.slice(-100).reverse()

    it.each([
      ['on that branch', { branch: 'shared', base_branch: 'main' }, 'own'],
      ['based on that branch', { branch: 'mine', base_branch: 'shared' }, 'stacked'],
      ['on the base of that branch', { branch: 'lower', base_branch: 'main' }, 'stacked'],
    ])('reads the newest of them, which it lists: %s', async (_, branches, relationship) => {
      const overlap = await checked(repository, { ...branches, ...elsewhere })
      expect(overlap.expected_activity_ids).toEqual(newest())
      expect(new Set(Object.values(overlap.relationships))).toEqual(new Set([relationship]))
      expect(toldIds(overlap, 'nearby')).toEqual(newest().slice(0, 5))
      expect(read.of('activities')).toBeLessThanOrEqual(100 + few)
    })

    it('reports none of them as a collision, even if all of them overlap', async () => {
      for (const branch of ['shared', 'lower']) {
        const overlap = await checked(repository, { branch, base_branch: 'main', scope: { paths: ['src/a.ts'] } })
        expect(overlap).toMatchObject({ overlap_detected: false, related_activity_ids: [], severity: null })
        expect(overlap.expected_activity_ids).toEqual(newest())
      }
    })

    it('reads as few rows if the table has grown since the last ANALYZE', async () => {
      const other = service.newRepository()
      await service.fill(other, count, ['src/**'])
      await setBranches(other, 'zz', 'main')
      read.reset()
      const overlap = await other.check({ branch: 'zz', ...elsewhere })
      expect(overlap.expected_activity_ids).toHaveLength(100)
      expect(read.of('activities')).toBeLessThanOrEqual(100 + few)
    })

    it('lists the newest of own and of stacked work', async () => {
      const { activity } = await repository.created('/activity', {
        ...{ title: 'T', summary: 'S', actor: 'A', branch: 'top', base_branch: 'shared' },
        ...elsewhere,
      })
      const overlap = await checked(repository, { branch: 'shared', base_branch: 'main', ...elsewhere })
      expect(overlap.expected_activity_ids).toEqual([activity.id, ...newest().slice(0, 99)])
      expect(overlap.relationships[activity.id]).toBe('stacked')
      expect(toldIds(overlap, 'advice')).toContain(activity.id)
    })
  })

  describe('a check among 2,000 open pull requests', () => {
    let observing: TestService
    let readThere: typeof read
    let repository: TestRepository

    beforeAll(async () => {
      observing = await start({ ...beforeConnecting, callers: {} })
      readThere = await countRowsRead(observing.db)
      repository = observing.newRepository()
      await observing.db.query(
        `insert into observed_repositories (repository_id, by_app, completed_at) values ($1, true, $2)`,
        [repository.id, observing.clock.now()],
      )
      const open = (first: number, last: number) =>
        observing.db.query(
          `insert into pull_requests (repository_id, number, state, title, draft, head_sha, head_ref, head_repository_id, base_ref,
              author_association, opened_at, pushed_at, github_updated_at, read_after, activity_id, files_head_sha)
       select $1, n, 'open', 'T', false, 'sha' || n, 'feat/' || n, $1, 'main', 'MEMBER', $2, $2, $2, $2, 'act_' || n, 'sha' || n
         from generate_series($3::integer, $4::integer) as n`,
          [repository.id, observing.clock.now(), first, last],
        )
      // Before the first ANALYZE, the trigger that logs changes reads all open pull requests of the repository for each new one.
      await open(1, 200)
      await analyze(observing)
      await open(201, 2000)
    })

    afterAll(() => observing.stop())

    async function observed() {
      await analyze(observing)
      readThere.reset()
      return (await repository.check({ scope: { paths: ['docs/a.md'] } })).observed
    }

    it('reads few of them to decide that the files of all are read', async () => {
      expect(await observed()).toMatchObject({ pull_requests: 'current', unread: 0 })
      expect(readThere.of('pull_requests')).toBeLessThanOrEqual(few)
    })

    it('counts those whose files are not read', async () => {
      await observing.db.query(
        `update pull_requests set files_head_sha = null, unread_since = $2 where repository_id = $1 and number <= 3`,
        [repository.id, observing.clock.now()],
      )
      expect(await observed()).toMatchObject({ pull_requests: 'current', unread: 3 })
    })
  })
})
