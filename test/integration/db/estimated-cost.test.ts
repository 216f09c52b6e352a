import { afterAll, beforeAll, expect, it } from 'vitest'
import { findUnreadRepositories } from '../../../src/service/github/pulls/unread.sql.ts'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { findBranchWork, findOldestWork } from '../../../src/service/records/activity/events/seen-branches.sql.ts'
import { compareHead } from '../../../src/service/report/compare-head.ts'
import { findQueuedRepositories } from '../../../src/service/report/report-queue.sql.ts'
import { day } from '../../support/clock.ts'
import { testContext } from '../../support/context.ts'
import { describeOnEachPostgres } from '../../support/each-postgres.ts'
import { openStream } from '../../support/event-stream.ts'
import { explainStatements } from '../../support/explained.ts'
import { changedFile, insertPullRequest } from '../../support/observed.ts'
import { query } from '../../support/query.ts'
import type { TestRepository, TestService } from '../../support/service.ts'
import { testViewer } from '../../support/viewer.ts'

/** The default of `jit_above_cost`. PostgreSQL compiles a statement that it expects to cost more: for seconds, at each execution. */
const jitBegins = 100_000
const most = jitBegins / 5

/** Explaining the statements of all triggers takes long where much is archived at once. */
const database = { statementMs: 120_000 }

describeOnEachPostgres('every statement is estimated far below the cost at which JIT begins', (start) => {
  let service: TestService
  /** The same database by connections whose statements are not explained. */
  let filling: TestService
  /** 10,000 live activities. */
  let large: TestRepository
  /** 122 live activities on branches of each other, and 30 pull requests. */
  let stacked: TestRepository
  let explained: { cost: number; isCompiled: boolean; plan: string }[] = []

  beforeAll(async () => {
    filling = await start({ database })
    await filling.db.query('select')
    service = await start({
      ...{ database, githubClient: 'own', viewerOf: testViewer().viewerOf, live: { pollMs: 50 } },
      createDatabase: async () => ({ url: filling.db.pool.options.connectionString ?? '', drop: async () => {} }),
    })
    await explainStatements(service.db, { nested: true }, (plan) => {
      const [, cost] = /\(cost=[\d.]+\.\.([\d.]+) /.exec(plan) ?? []
      explained.push({ cost: Number(cost), isCompiled: /^JIT:/m.test(plan), plan })
    })
  })
  afterAll(async () => {
    await service.stop()
    await filling.stop()
  })

  async function fill() {
    large = service.newRepository()
    stacked = service.newRepository()
    for (let n = 0; n < 10; n++) await filling.fill(large, 1_000, [`packages/p${n}/**`, `docs/p${n}/*.md`])
    for (let n = 0; n < 61; n++) await filling.fill(stacked, 2, [`src/p${n}/**`])
    await filling.db.query(
      `update activities set branch = 'b' || n, base_branch = 'b' || n - 1
         from (select id as own, row_number() over (order by id) as n from activities where repository_id = $1) as numbered
        where repository_id = $1 and id = own`,
      [stacked.id],
    )
    for (let number = 1; number <= 30; number++)
      await insertPullRequest(filling.db, stacked, filling.clock.now(), {
        pull: { number, head_ref: `pull-${number}`, base_ref: `b${number}` },
        activity: { base_branch: `b${number}` },
        files: [changedFile(`src/p${number % 5}/a.ts`)],
      })
  }

  /** What callers ask, what streams and check runs read, and what jobs read and write. */
  async function useAll() {
    explained = []
    for (const repository of [large, stacked]) await useApi(repository)
    await follow(stacked)
    const { db, clock } = service
    const pulls = await db.prisma.pullRequest.findMany({ where: { repository_id: stacked.id }, take: 2 })
    const context = testContext(db, { ...stacked, defaultBranch: 'main' }, clock.now())
    expect(await compareHead(context, pulls)).not.toBeNull()
    await findBranchWork(db, stacked.id, clock.now())
    await findOldestWork(db, stacked.id, clock.now())
    await findUnreadRepositories(db, clock.now(), [])
    await findQueuedRepositories(db, clock.now())
    await sweep(db, { now: clock.now(), retentionMs: 30 * day })
    expect(explained.length).toBeGreaterThan(300)
    const costly = explained.filter(({ cost, isCompiled }) => isCompiled || cost > most)
    expect(costly.sort((a, b) => b.cost - a.cost).slice(0, 3)).toEqual([])
  }

  async function useApi(repository: TestRepository) {
    const scope = { areas: ['web', 'api'], paths: ['src/p3/x/**', 'src/p7/x.ts', 'lib/**'] }
    const changes = { files: [{ path: 'src/p3/a.ts', lines: [[1, 5]] }] }
    const work = { title: 'T', summary: 'S', actor: 'A', branch: 'b60', base_branch: 'b59' }
    await repository.raised({ scope: { paths: ['src/p5/**'] } })
    const { activity } = await repository.created('/activity', { ...work, scope, changes })
    // From the sixth execution on PostgreSQL considers a plan for any values.
    for (let times = 0; times < 7; times++) {
      await repository.check({ branch: 'b60', base_branch: 'b59', scope })
      await repository.check({ branch: 'feature', changes })
      await repository.page('/activity?limit=100')
      await repository.get(`/activity/${activity.id}`)
    }
    await repository.check({ scope: { paths: ['**/x.md'] } })
    await repository.get('/notables')
    await repository.post(`/activity/${activity.id}/heartbeat`)
    await repository.patch(`/activity/${activity.id}`, { scope: { paths: ['src/p4/**'] } })
    await repository.post(`/activity/${activity.id}/archive`)
    await repository.get(`/activity/${activity.id}/history`)
    for (const filter of ['status=archived', 'branch=b60', 'actor=A', 'has_pr=true', 'source=pull_request'])
      await repository.page(`/activity?${filter}`)
  }

  async function follow(repository: TestRepository) {
    const stream = await openStream(`${service.url}/api/v1${repository.path}/events`, repository.reader)
    await stream.data('snapshot')
    expect((await repository.get('/collisions')).status).toBe(200)
    await filling.db.query('update activities set title = gen_random_uuid() where repository_id = $1', [repository.id])
    await stream.data('activity', 100)
    stream.close()
  }

  it('before the first ANALYZE', async () => {
    await fill()
    await useAll()
  })

  it('after it', async () => {
    await query(filling.db.pool.options.connectionString ?? '', 'analyze')
    await useAll()
  })

  it('where all of that has expired, and other repositories have grown since', async () => {
    await filling.db.query(
      `delete from activities where repository_id = $1 and id = any(array(
         select id from activities where repository_id = $1 order by id offset 300))`,
      [large.id],
    )
    for (const { clock } of [service, filling]) clock.advance(2 * day)
    await fill()
    await useAll()
  })
})
