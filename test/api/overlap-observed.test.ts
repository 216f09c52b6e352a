import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRepository, type TestRepository } from '../support/github.ts'
import { observe, type TestPull } from '../support/observed.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const path = 'src/a.ts'
const sha = (letter: string) => letter.repeat(40)
const changed = (...lines: [number, number][]) => ({ files: [{ path, lines }] })

async function withPulls(pulls: TestPull[], given: Partial<TestRepository> = {}, settings: object | null = null) {
  const repository = newRepository(given)
  const observation = observe(service.databaseUrl, repository)
  await observation.read(pulls, settings)
  const as = (login: string, seesPulls = true) => clientOf(service, { repository, login, seesPulls })
  return { ...observation, repository, as, alice: as('alice') }
}

async function check(client: Client, body: object) {
  const { status, body: answer } = await client.post('/activity/check', body)
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer
}

async function create(client: Client, body: object) {
  const { status, body: answer } = await client.post('/activity', { ...work, ...body })
  expect(status, JSON.stringify(answer)).toBe(201)
  return answer.activity
}

const numbers = (met: { number: number }[]) => met.map(({ number }) => number)

describe('§8 open pull requests are compared', () => {
  it('by lines, with number, head and login', async () => {
    const { alice, idOf } = await withPulls([{ number: 12, head_sha: sha('b'), files: { [path]: [[3, 4]] } }])
    expect(await check(alice, { changes: changed([4, 4]) })).toMatchObject({
      ...{ severity: 'high', related_activity_ids: [await idOf(12)] },
      collisions: [
        { number: 12, head_sha: sha('b'), actor: 'paula', source: 'pull_request', stranger: false, by: 'lines' },
      ],
    })
  })

  it('a literal is low, a wide glob over its files is near with one file, and says so', async () => {
    const { alice } = await withPulls([{ number: 12, files: { [path]: [[3, 4]], 'src/b.ts': [[1, 1]] } }])
    expect((await check(alice, { scope: { paths: [path] } })).collisions).toMatchObject([
      { by: 'file', severity: 'low' },
    ])
    expect(await check(alice, { scope: { paths: ['src'] } })).toMatchObject({
      ...{ collisions: [], obstacles: ['near'], nearby: [{ number: 12, severity: null, example_path: path }] },
    })
  })

  it('more than 2,000 files below a wide glob are near, whether or not one of those that were read matches', async () => {
    const names = Array.from({ length: 2_001 }, (_, at) => [`src/${String(at).padStart(4, '0')}.ts`, null] as const)
    const { alice } = await withPulls([{ number: 12, files: Object.fromEntries(names) }])
    expect(await check(alice, { scope: { paths: ['src/**/*.css'] } })).toMatchObject({
      nearby: [],
      obstacles: ['near'],
    })
    expect(await check(alice, { scope: { paths: ['src/0*/*.css'] } })).toMatchObject({ obstacles: ['near'] })
    expect(await check(alice, { scope: { paths: ['lib/**'] } })).toMatchObject({ obstacles: [] })
  })

  it('by their last push, which is never later than GitHub’s last update', async () => {
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    const files = { [path]: [[3, 4]] as [number, number][] }
    const { alice } = await withPulls([
      { number: 1, opened_at: ago(90), pushedAt: ago(2), files },
      { number: 2, opened_at: ago(80), pushedAt: ago(3), files },
      { number: 3, opened_at: ago(70), pushedAt: ago(-1), github_updated_at: ago(1), files },
    ])
    const { collisions } = await check(alice, { changes: changed([4, 4]) })
    expect(numbers(collisions)).toEqual([3, 1, 2])
    expect(collisions[0].text).toContain('pushed 1 h ago')
  })

  it('files that are not all kept are cut for whoever names a file', async () => {
    const { alice } = await withPulls([{ number: 12, files: { [path]: [[3, 4]] }, filesTotal: 3_500 }])
    expect(await check(alice, { scope: { paths: ['docs'] } })).toMatchObject({ obstacles: ['cut'] })
  })

  it('not where the settings turn it off', async () => {
    const pulls = [{ number: 12, files: { [path]: [[3, 4]] as [number, number][] } }]
    const { alice } = await withPulls(pulls, {}, { enabled: false })
    const answer = await check(alice, { changes: changed([4, 4]) })
    expect(answer).toMatchObject({ clear: true, observed: { pull_requests: 'off' } })
  })
})

describe('§5 strangers', () => {
  const outside = { is_outsider: true, author_login: 'eve', head_repository_id: 99n, head_owner: 'eve' }

  it('come last, whatever they collide with, and what is near of them is no obstacle', async () => {
    const { alice } = await withPulls([
      { number: 1, files: { [path]: [[1, 1]] }, ...outside },
      { number: 2, files: { [path]: null } },
    ])
    expect((await check(alice, { changes: changed([1, 1]) })).collisions).toMatchObject([
      { number: 2, stranger: false, severity: 'low' },
      { number: 1, stranger: true, severity: 'high' },
    ])
    const { alice: other } = await withPulls([{ number: 1, files: { [path]: [[1, 1]] }, ...outside }])
    const near = await check(other, { scope: { paths: ['src/**'] } })
    expect(near).toMatchObject({ nearby: [{ number: 1 }], obstacles: [], clear: true })
    expect(near.reason).toContain('#1')
  })

  it('are told of where they are not read, and are no obstacle', async () => {
    const { alice } = await withPulls([{ number: 1, ...outside }])
    const answer = await check(alice, { changes: changed([1, 1]) })
    expect(answer).toMatchObject({ clear: true, observed: { pull_requests: 'current', unread: 0 } })
    expect(answer.reason).toContain('The files of 1 open pull request from outside are not read.')
  })

  it('are members once their account has recorded something here', async () => {
    const { alice, as } = await withPulls([{ number: 1, files: { [path]: [[1, 1]] }, ...outside }])
    await create(as('eve'), {})
    expect((await check(alice, { changes: changed([1, 1]) })).collisions).toMatchObject([
      { number: 1, stranger: false },
    ])
  })
})

describe('§8 covering', () => {
  const pull = (repository: TestRepository, number: number) =>
    `https://github.com/${repository.owner}/${repository.name}/pull/${number}`

  it('the newest record with the number stands for the pull request, with its changes, issues and base', async () => {
    const { alice, as, repository } = await withPulls([
      { number: 12, base_branch: 'v1', issues: [5], files: { [path]: [[3, 4]] } },
    ])
    const bob = as('bob')
    await create(bob, { pr_url: pull(repository, 12) })
    const newest = await create(bob, { pr_url: pull(repository, 12), base_branch: 'main' })
    expect(newest.issues).toEqual([])
    const answer = await check(alice, { base_branch: 'v1', issues: [5], changes: changed([4, 4]) })
    expect(answer.collisions).toMatchObject([
      { activity_id: newest.id, number: 12, severity: 'high', by: 'lines', issues: [5] },
    ])
    expect(await check(alice, { base_branch: 'main', changes: changed([4, 4]) })).toMatchObject({ obstacles: ['near'] })
  })

  it('the client’s changes replace GitHub’s where its head is that of the pull request, or its commits hold that; else both count', async () => {
    const { alice, as, repository } = await withPulls([{ number: 12, head_sha: sha('b'), files: { [path]: [[3, 4]] } }])
    const changes = { ...changed([50, 50]), commits: [sha('b'), sha('c')] }
    const activity = await create(as('bob'), { pr_url: pull(repository, 12), changes })
    const asked = async () => (await check(alice, { changes: changed([4, 4]) })).collisions
    expect(await asked()).toEqual([])
    await as('bob').patch(`/activity/${activity.id}`, { changes: { ...changed([50, 50]), head_sha: sha('b') } })
    expect(await asked()).toEqual([])
    await as('bob').patch(`/activity/${activity.id}`, { changes: { ...changes, commits: [sha('c')] } })
    expect(await asked()).toMatchObject([{ activity_id: activity.id, by: 'lines' }])
  })

  it('its own record asks with the changes of the pull request', async () => {
    const { alice, as, repository } = await withPulls([{ number: 12, files: { [path]: [[3, 4]] } }])
    const other = await create(as('bob'), { changes: changed([4, 4]) })
    const own = await create(alice, { pr_url: pull(repository, 12) })
    expect((await check(alice, { activity_id: own.id })).collisions).toMatchObject([
      { activity_id: other.id, by: 'lines' },
    ])
  })
})

describe('§7 who may not list the pull requests of a repository that is not public', () => {
  it('is told of recorded work alone, without what GitHub says of it', async () => {
    const { as, repository, prisma } = await withPulls(
      [
        { number: 12, files: { [path]: [[3, 4]] } },
        { number: 13, files: { [path]: [[3, 4]] } },
      ],
      { isPrivate: true },
    )
    const [bob, blind] = [as('bob'), as('zoe', false)]
    const record = await create(bob, { pr_url: `https://github.com/${repository.owner}/${repository.name}/pull/12` })
    const asked = { changes: changed([4, 4]) }
    expect(await check(blind, asked)).toMatchObject({ collisions: [], observed: { pull_requests: 'unavailable' } })
    expect((await check(blind, asked)).obstacles).toEqual(['not_read'])
    expect(numbers((await check(as('alice'), asked)).collisions).sort()).toEqual([12, 13])
    expect((await blind.get('/collisions')).body.items).toEqual([])
    expect((await bob.get('/collisions')).body.items).toMatchObject([
      { activity_ids: [expect.any(String), expect.any(String)] },
    ])
    expect((await bob.get(`/collisions?activity_id=${record.id}`)).body.items).toHaveLength(1)
    const merged = { status: 'archived', archived_reason: 'merged', ended_at: new Date() } as const
    const where = { repository_id: BigInt(repository.id), pr_number: 13 }
    await prisma.activity.updateMany({ where, data: merged })
    const reused = async (client: Client) => (await check(client, asked)).reuse_opportunities.length
    expect([await reused(as('alice')), await reused(blind)]).toEqual([1, 0])
  })
})

describe('§5 own and stacked pull requests', () => {
  it('are told by number, branch, fork and commits', async () => {
    const file = { files: { [path]: [[3, 4]] as [number, number][] } }
    const { alice, as, idOf, repository } = await withPulls([
      { number: 1, head_branch: 'login', author_login: 'bob', ...file },
      { number: 2, head_branch: 'mine', author_login: 'alice', head_repository_id: 99n, head_owner: 'alice', ...file },
      { number: 3, head_sha: sha('c'), author_login: 'bob', ...file },
    ])
    const [one, two, three] = [await idOf(1), await idOf(2), await idOf(3)]
    const changes = changed([4, 4])
    const asked = async (client: Client, body: object) => (await check(client, { changes, ...body })).relationships
    expect(await asked(alice, { branch: 'login' })).toMatchObject({ [one]: 'own', [two]: 'collision' })
    expect(await asked(alice, { branch: 'mine' })).toMatchObject({ [one]: 'collision', [two]: 'own' })
    expect(await asked(as('zoe'), { branch: 'mine' })).toMatchObject({ [two]: 'collision' })
    const link = `https://github.com/${repository.owner}/${repository.name}/pull/3`
    expect(await asked(alice, { pr_url: link })).toMatchObject({ [three]: 'own' })
    const local = { ...changes, commits: [sha('c'), sha('d')] }
    expect(await asked(alice, { changes: local })).toMatchObject({ [three]: 'stacked' })
    expect(await asked(as('bob'), { changes: local })).toMatchObject({ [three]: 'own' })
  })
})

it('§10 a create, a PATCH and a freeze have the check runs that they concern looked at again', async () => {
  const { alice, prisma, repository } = await withPulls([{ number: 12, issues: [5] }])
  const repository_id = BigInt(repository.id)
  await prisma.checkRun.create({ data: { repository_id, number: 12, head_sha: sha('b') } })
  /** Whether a write makes the check run due, which names `named` alone. */
  const isDueAfter = async (named: string, write: () => Promise<unknown>) => {
    await prisma.checkRun.updateMany({ where: { repository_id }, data: { due_at: null, named: [named] } })
    await write()
    return (await prisma.checkRun.count({ where: { repository_id, due_at: { not: null } } })) > 0
  }
  const { id } = await create(alice, { branch: 'login' })
  const freeze = { title: 'Freeze', summary: 'x', importance: 'critical', category: 'release' }
  const { id: notable } = (await alice.post('/notables', freeze)).body
  const dues = [
    await isDueAfter('', () => create(alice, { issues: [6] })),
    await isDueAfter('', () => create(alice, { issues: [5] })),
    await isDueAfter('', () => alice.patch(`/activity/${id}?overlap=true`, { issues: [5] })),
    await isDueAfter(id, () => alice.patch(`/activity/${id}`, { issues: [] })),
    await isDueAfter(id, () => alice.post(`/activity/${id}/archive`)),
    await isDueAfter('', () => alice.post('/notables', freeze)),
    await isDueAfter('', () => alice.patch(`/notables/${notable}`, { title: 'Thaw' })),
    await isDueAfter(notable, () => alice.post(`/notables/${notable}/archive`)),
  ]
  expect(dues).toEqual([false, ...Array(7).fill(true)])
})
