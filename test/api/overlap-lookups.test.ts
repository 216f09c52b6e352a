import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Prisma } from '../../src/service/db/generated/client.ts'
import { openDatabase } from '../../src/service/db/prisma.ts'
import { query } from '../support/database.ts'
import { newRepository } from '../support/github.ts'
import { observe } from '../support/observed.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const name = fc.constantFrom('a', 'b', 'src', 'docs')
const file = fc.constantFrom('x.ts', 'y.ts', 'README.md', 'Makefile')
const path = fc.tuple(fc.array(name, { maxLength: 3 }), file).map(([names, last]) => [...names, last].join('/'))
const segment = fc.oneof(name, fc.constantFrom('*', '**', '?', '{a,src}'))
const glob = fc
  .tuple(fc.array(segment, { maxLength: 3 }), fc.oneof(file, fc.constantFrom('*.ts', '**', 'a', 'x.{ts,js}')))
  .map(([names, last]) => [...names, last].join('/'))
const lines = fc.integer({ min: 1, max: 9 }).map((first): [number, number] => [first, first + 1])
const changed = fc.record({ path, lines: fc.option(fc.array(lines, { maxLength: 2 })) })
const proposal = fc.record({
  scope: fc.record({
    areas: fc.array(fc.constantFrom('auth', 'cart'), { maxLength: 1 }),
    paths: fc.array(glob, { maxLength: 2 }),
  }),
  issues: fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 1 }),
  changes: fc.record({ files: fc.uniqueArray(changed, { maxLength: 3, selector: (one) => one.path }) }),
})

it('§5 a check finds by its keys exactly the work that the comparison of all pairs finds', async () => {
  const client = clientOf(service)
  const proposals = fc.sample(proposal, { numRuns: 40, seed: 7 })
  const ids: string[] = []
  for (const [index, one] of proposals.entries()) {
    const { status, body } = await client.post('/activity', { ...work, branch: `branch-${index}`, ...one })
    expect(status).toBe(201)
    ids.push(body.activity.id)
  }
  const { items, truncated } = (await client.get('/collisions')).body
  expect(truncated).toBe(false)
  expect(items.length).toBeGreaterThan(20)
  for (const id of ids) {
    const others = items.flatMap(({ activity_ids }: { activity_ids: string[] }) =>
      activity_ids.includes(id) ? activity_ids.filter((other) => other !== id) : [],
    )
    const { body } = await client.post('/activity/check', { activity_id: id })
    expect(body.related_activity_ids.toSorted(), JSON.stringify(proposals[ids.indexOf(id)])).toEqual(others.toSorted())
  }
})

/** A repository whose pull requests are read. */
async function readRepository(pulls: Parameters<ReturnType<typeof observe>['read']>[0] = []) {
  const repository = newRepository()
  await observe(service.databaseUrl, repository).read(pulls)
  return { alice: clientOf(service, { repository }), bob: clientOf(service, { repository, login: 'bob' }) }
}

async function create(client: Client, body: object): Promise<string> {
  const { status, body: answer } = await client.post('/activity', { ...work, ...body })
  expect(status).toBe(201)
  return answer.activity.id
}

const check = async (client: Client, body: object) => (await client.post('/activity/check', body)).body

describe('§5 of very much work', () => {
  const outside = { is_outsider: true, author_login: 'eve', head_repository_id: 99n, head_owner: 'eve' }

  it('at most 1,000 are compared, members first, and 100 ids and 20 works are shown', async () => {
    const later = new Date(Date.now() + 3_600_000)
    const pull = { number: 1, files: { 'src/a.ts': null }, ...outside, github_updated_at: later, pushedAt: later }
    const { alice, bob } = await readRepository([pull])
    const first = await create(alice, { scope: { areas: ['busy'] } })
    const copied =
      'title, summary, actor, areas, status, risk, blocking, draft_pr, began_at, created_at, updated_at, expires_at'
    await query(
      service.databaseUrl,
      `with copies as (
         insert into activities (repository_id, id, ${copied})
         select repository_id, 'act_' || n, ${copied} from activities, generate_series(1, 999) as n where id = $1
         returning repository_id, id)
       insert into places (repository_id, activity_id, key) select repository_id, id, '#busy' from copies`,
      [first],
    )
    const asked = { tags: ['busy'], changes: { files: [{ path: 'src/a.ts' }] } }
    const whole = await check(bob, asked)
    expect(whole.obstacles).toEqual(['collision'])
    expect(whole.reason).toContain('Not all pull requests from outside were compared')
    expect([whole.related_activity_ids.length, whole.collisions.length]).toEqual([100, 20])
    const newest = await create(alice, { scope: { areas: ['busy'] } })
    const cut = await check(bob, asked)
    expect(cut.obstacles).toEqual(['collision', 'cut'])
    expect(cut.related_activity_ids[0]).toBe(newest)
  })

  it('at most 5,000 files of clients are read below wide globs, and what is beyond is cut', async () => {
    const { alice, bob } = await readRepository()
    const id = await create(alice, { changes: { files: [{ path: 'src/a/0' }] } })
    const add = (from: number, to: number) =>
      query(
        service.databaseUrl,
        `insert into changed_files (repository_id, activity_id, path, status, lines, has_lines)
         select repository_id, activity_id, 'src/a/' || n, status, lines, has_lines
           from changed_files, generate_series($2::integer, $3) as n where activity_id = $1 and path = 'src/a/0'`,
        [id, from, to],
      )
    await add(1, 4_999)
    const styles = { scope: { paths: ['src/**/*.css'] } }
    expect(await check(bob, styles)).toMatchObject({ obstacles: [] })
    await add(5_000, 5_000)
    expect(await check(bob, styles)).toMatchObject({ obstacles: ['cut'] })
  })

  it('at most 2,000 files of pull requests are read below wide globs, those of members first', async () => {
    const names = Array.from({ length: 2_000 }, (_, at) => [`src/${String(at).padStart(4, '0')}.ts`, null] as const)
    const { bob } = await readRepository([
      { number: 1, files: Object.fromEntries(names), ...outside },
      { number: 2, files: { 'src/z.ts': null } },
    ])
    const { nearby, obstacles } = await check(bob, { scope: { paths: ['src/**'] } })
    expect(nearby).toMatchObject([{ number: 2, example_path: 'src/z.ts' }, { number: 1 }])
    expect(obstacles).toEqual(['near'])
  })

  it('an answer shows 20 files and ranges, 20 notables and 5 works to reuse', async () => {
    const { alice, bob } = await readRepository()
    const lines = Array.from({ length: 25 }, (_, at) => [10 * at + 1, 10 * at + 1])
    const changes = { files: lines.map((_, at) => ({ path: `src/${at}.ts`, lines })) }
    for (let made = 0; made < 6; made++)
      await alice.patch(`/activity/${await create(alice, { changes })}`, { status: 'merged' })
    await create(alice, { changes })
    const notable = { title: 'T', summary: 'S', importance: 'low', category: 'release', scope: { paths: ['src'] } }
    await Promise.all(Array.from({ length: 21 }, () => alice.post('/notables', notable)))
    const { collisions, notables, related_notable_ids, reuse_opportunities } = await check(bob, { changes })
    const [{ paths, paths_total, lines: mine, their_lines }] = collisions
    expect([paths.length, paths_total, mine.length, their_lines.length]).toEqual([20, 25, 20, 20])
    expect([notables.length, related_notable_ids.length, reuse_opportunities.length]).toEqual([20, 21, 5])
  })
})

it('§5 a third check of a token waits for the first two, and not that of another token', async () => {
  const { alice, bob } = await readRepository()
  const { prisma } = openDatabase(service.databaseUrl)
  const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  const untilWaiting = (count: number) =>
    expect.poll(async () => (await query(service.databaseUrl, waiting)).length, { timeout: 10_000 }).toBe(count)
  const ask = (client: Client) => client.post('/activity/check', { tags: ['a'] })
  await Promise.all([ask(alice), ask(bob)])
  const ofAll = async (tx: Prisma.TransactionClient) => {
    await tx.$executeRaw`lock table places`
    const first = [ask(alice), ask(alice)]
    // Each check looks for live work and for merged work at once.
    await untilWaiting(4)
    const answers = Promise.all([...first, ask(alice), ask(bob)])
    await untilWaiting(6)
    return [answers]
  }
  const [answers] = await prisma.$transaction(ofAll, { timeout: 20_000 })
  expect((await answers)?.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  await prisma.$disconnect()
})
