import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/service/records/ids.ts'
import { newRepository } from '../support/github.ts'
import { observe } from '../support/observed.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'

let services: [TestService, TestService]
beforeAll(async () => {
  const first = await startTestService()
  services = [first, await startTestService({ DATABASE_URL: first.databaseUrl })]
})
afterAll(async () => {
  await services[1].stop()
  await services[0].stop()
})

async function quietRepository() {
  const repository = newRepository()
  const observation = observe(services[0].databaseUrl, repository)
  await observation.read([])
  return { repository, observation, client: clientOf(services[0], { repository }) }
}

async function create(client: Client, body: object): Promise<string> {
  const { status, body: answer } = await client.post('/activity', { ...work, ...body })
  expect(status, JSON.stringify(answer)).toBe(201)
  return answer.activity.id
}

const changed = (path: string, ...lines: [number, number][]) => ({ changes: { files: [{ path, lines }] } })

describe('§11 collisions', () => {
  it('are all pairs, each with the lines of the newer first', async () => {
    const { client } = await quietRepository()
    const older = await create(client, { branch: 'a', ...changed('src/a.ts', [1, 5]) })
    const newer = await create(client, { branch: 'b', ...changed('src/a.ts', [4, 9]) })
    await create(client, { branch: 'c', ...changed('src/a.ts', [50, 51]) })
    await create(client, { branch: 'd', base_branch: 'b', ...changed('src/a.ts', [30, 31]) })
    const { body } = await client.get('/collisions')
    expect(body).toMatchObject({
      truncated: false,
      items: [
        {
          ...{ activity_ids: [newer, older], severity: 'high', by: 'lines', example_path: 'src/a.ts' },
          ...{ lines: [[4, 9]], their_lines: [[1, 5]], areas: [], issues: [], stranger: false },
          text: expect.stringContaining('4–9'),
        },
      ],
    })
  })

  it('find what declares, names and changes, and leave out what is own or stacked', async () => {
    const { client } = await quietRepository()
    const wide = await create(client, { branch: 'a', scope: { paths: ['src/**'] } })
    const file = await create(client, { branch: 'b', ...changed('src/a.ts', [1, 1]) })
    const areas = [
      await create(client, { branch: 'c', scope: { areas: ['Auth'] } }),
      await create(client, { scope: { areas: ['auth'] } }),
    ]
    const issues = [
      await create(client, { branch: 'd', issues: [4] }),
      await create(client, { branch: 'e', issues: [4] }),
    ]
    const own = [issues[0], await create(client, { branch: 'd', issues: [4] })]
    const below = await create(client, { branch: 'f', base_branch: 'main', issues: [4] })
    const stacked = [below, await create(client, { branch: 'g', base_branch: 'f', issues: [4] })]
    const { items } = (await client.get('/collisions')).body
    const pairs = items.map(({ activity_ids }: { activity_ids: string[] }) => [...activity_ids].sort().join())
    for (const expected of [own, stacked]) expect(pairs).not.toContain(expected.sort().join())
    const severities = items.map(({ severity }: { severity: string }) => severity)
    expect(severities.indexOf('low')).toBe(severities.lastIndexOf('medium') + 1)
    // Of those that are as bad the newest first.
    expect(items[0].activity_ids[0]).toBe(stacked[1])
    expect(pairs).toContain([wide, file].sort().join())
    expect(pairs).toContain(areas.sort().join())
    expect(pairs).toContain(issues.sort().join())
    const of = (await client.get(`/collisions?activity_id=${wide}`)).body.items
    expect(of).toMatchObject([{ activity_ids: [file, wide], severity: 'medium', by: 'globs' }])
  })

  it('take the worse of both sides, and pairs of members first', async () => {
    const { client, observation } = await quietRepository()
    const outside = { is_outsider: true, author_login: 'eve', head_repository_id: 9n, head_owner: 'eve' }
    await observation.read([{ number: 1, files: { 'src/a.ts': [[1, 1]] }, ...outside }])
    await create(client, { branch: 'a', ...changed('src/a.ts', [1, 1]), scope: { areas: ['auth'] } })
    await create(client, { branch: 'b', scope: { areas: ['auth'] }, risk: 'high' })
    const { items } = (await client.get('/collisions')).body
    expect(items).toMatchObject([
      { severity: 'medium', by: 'area', stranger: false },
      { severity: 'high', by: 'lines', stranger: true },
    ])
  })

  it('are computed anew after a change, on each instance', async () => {
    const { repository, client } = await quietRepository()
    const other = clientOf(services[1], { repository })
    const id = await create(client, { branch: 'a', ...changed('src/a.ts', [1, 1]) })
    await create(client, { branch: 'b', ...changed('src/a.ts', [1, 1]) })
    expect((await other.get('/collisions')).body.items).toHaveLength(1)
    await client.patch(`/activity/${id}`, changed('src/a.ts', [90, 90]))
    expect((await other.get('/collisions')).body.items).toEqual([])
    await client.patch(`/activity/${id}`, changed('src/a.ts', [1, 1]))
    await client.post(`/activity/${id}/archive`)
    expect((await other.get('/collisions')).body.items).toEqual([])
  })

  it('of nobody, of work elsewhere, and with other parameters are refused, as such events are', async () => {
    const { client } = await quietRepository()
    const elsewhere = await create((await quietRepository()).client, {})
    for (const query of [`activity_id=${elsewhere}`, 'activity_id=act_1', 'activity_id=', 'limit=1'])
      expect((await client.get(`/collisions?${query}`)).body.error?.code, query).toBe('validation_failed')
    for (const query of ['activity_id=', 'since=1', 'since=1&since=2'])
      expect((await client.get(`/events?${query}`)).body.error?.code, query).toBe('validation_failed')
  })

  /** Copies of a record with branches of their own, without asking. */
  async function copy(observation: ReturnType<typeof observe>, id: string, count: number) {
    const { created_at, ...row } = await observation.prisma.activity.findFirstOrThrow({ where: { id } })
    const data = Array.from({ length: count }, (_, at) => {
      return { ...row, created_at, id: newId('act', new Date()), branch: `branch-${at}`, idempotency_key: null }
    })
    await observation.prisma.activity.createMany({ data })
  }

  it('are at most 500, and narrowed before that', async () => {
    const { client, observation } = await quietRepository()
    const oldest = await create(client, { branch: 'oldest', scope: { areas: ['auth'] } })
    await copy(observation, oldest, 32)
    const { items, truncated } = (await client.get('/collisions')).body
    expect([items.length, truncated]).toEqual([500, true])
    const narrowed = (await client.get(`/collisions?activity_id=${oldest}`)).body
    expect([narrowed.items.length, narrowed.truncated]).toEqual([32, false])
  })

  it('are those of 1,000 works', async () => {
    const { client, observation } = await quietRepository()
    await copy(observation, await create(client, { branch: 'first' }), 1_000)
    expect((await client.get('/collisions')).body).toMatchObject({ items: [], truncated: true })
  })

  it('are shared by all who ask at once', async () => {
    const { client } = await quietRepository()
    for (const branch of ['a', 'b', 'c']) await create(client, { branch, scope: { paths: ['src/**'] } })
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.get('/collisions')))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.items))).size).toBe(1)
    expect(answers[0]?.body.items).toHaveLength(3)
  })
})

it('§5 of two creates or PATCHes that collide at once, on whichever instances, at least one is told', async () => {
  const { repository } = await quietRepository()
  const clients = Array.from({ length: 20 }, (_, at) =>
    clientOf(services[at % 2 === 0 ? 0 : 1], { repository, login: `user${at}` }),
  )
  const before = await Promise.all(clients.map((client) => create(client, {})))
  const write = (at: number, body: object) => {
    if (at < 10) return clients[at]?.post('/activity', { ...work, ...body })
    return clients[at]?.patch(`/activity/${before[at]}?overlap=true`, body)
  }
  const race = async (pair: number) => {
    const body = pair % 2 === 0 ? { scope: { paths: [`src/${pair}.ts`] } } : { issues: [pair + 1] }
    const answers = await Promise.all([2 * pair, 2 * pair + 1].map((at) => write(at, body)))
    const ids = answers.map((answer) => answer?.body.activity.id)
    return answers.some((answer, at) => answer?.body.overlap.related_activity_ids.includes(ids[1 - at]))
  }
  const areTold = await Promise.all(Array.from({ length: 10 }, (_, pair) => race(pair)))
  expect(areTold).toEqual(areTold.map(() => true))
})
