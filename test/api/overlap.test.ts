import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/service/records/ids.ts'
import { newRepository } from '../support/github.ts'
import { observe } from '../support/observed.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const path = 'src/a.ts'
const changed = (...lines: [number, number][]) => ({ files: [{ path, lines }] })

async function create(client: Client, body: object = {}) {
  const { status, body: answer } = await client.post('/activity', { ...work, ...body })
  expect(status, JSON.stringify(answer)).toBe(201)
  return answer
}

async function check(client: Client, body: object) {
  const { status, body: answer } = await client.post('/activity/check', body)
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer
}

/** A repository whose pull requests are read: there are none. */
async function quietRepository() {
  const repository = newRepository()
  const observation = observe(service.databaseUrl, repository)
  await observation.read([])
  return { observation, alice: clientOf(service, { repository }), bob: clientOf(service, { repository, login: 'bob' }) }
}

describe('§5 a check', () => {
  it('answers every field of a collision, and creates nothing', async () => {
    const { alice, bob } = await quietRepository()
    const { activity } = await create(alice, { branch: 'login', changes: changed([10, 12], [90, 90]) })
    const answer = await check(bob, { branch: 'other', changes: changed([12, 14], [50, 50]) })
    expect(answer).toMatchObject({
      ...{ overlap_detected: true, severity: 'high', clear: false, obstacles: ['collision'] },
      ...{
        related_activity_ids: [activity.id],
        expected_activity_ids: [],
        relationships: { [activity.id]: 'collision' },
      },
      ...{ nearby: [], nearby_count: 0, related_notable_ids: [], reuse_opportunities: [] },
      observed: { pull_requests: 'current', unread: 0 },
    })
    expect(answer.collisions).toEqual([
      {
        ...{
          activity_id: activity.id,
          severity: 'high',
          by: 'lines',
          example_path: path,
          paths: [path],
          paths_total: 1,
        },
        ...{ lines: [[12, 14]], their_lines: [[10, 12]], areas: [], issues: [], changes_only: true, actor: 'Ana' },
        ...{ stranger: false, branch: 'login', number: null, pr_url: null, head_sha: null, source: 'recorded' },
        ...{ began_at: activity.began_at, text: expect.stringContaining('10–12') },
      },
    ])
    expect((await alice.get('/activity')).body.items).toHaveLength(1)
  })

  it('says "Go ahead" where nothing stands in the way, and only there', async () => {
    const { alice } = await quietRepository()
    const clear = await check(alice, { scope: { paths: [path] } })
    expect(clear).toMatchObject({ clear: true, obstacles: [], severity: null, overlap_detected: false })
    expect(clear.recommended_action).toContain('Go ahead')
    const nothing = await check(alice, { issues: [4] })
    expect(nothing).toMatchObject({ clear: false, obstacles: ['nothing_named'] })
    expect(nothing.recommended_action).not.toContain('Go ahead')
  })

  it('takes from the own record what is not sent, and leaves that record out', async () => {
    const { alice, bob } = await quietRepository()
    const { activity: own } = await create(alice, { branch: 'login', scope: { paths: ['src/**'] }, issues: [9] })
    const { activity: other } = await create(bob, { branch: 'cart', scope: { paths: [path] } })
    const { activity: same } = await create(bob, { branch: 'list', issues: [9] })
    const asked = await check(alice, { activity_id: own.id })
    expect(asked).toMatchObject({ related_activity_ids: [same.id, other.id], expected_activity_ids: [own.id] })
    const related = async (body: object) => (await check(alice, { activity_id: own.id, ...body })).related_activity_ids
    expect(await related({ scope: { paths: ['docs'] } })).toEqual([same.id])
    expect(await related({ changes: null, issues: [] })).toEqual([other.id])
  })

  it('counts tags as areas, for this check alone', async () => {
    const { alice, bob } = await quietRepository()
    const { activity } = await create(bob, { scope: { areas: ['Auth'] } })
    const answer = await check(alice, { tags: ['auth'] })
    expect(answer.collisions).toMatchObject([{ activity_id: activity.id, severity: 'low', by: 'area' }])
  })

  it('refuses an activity_id of nobody', async () => {
    const { alice } = await quietRepository()
    const { status, body } = await alice.post('/activity/check', { activity_id: 'act_01h455vb4pex5vsknk084sn02q' })
    expect([status, body.error.details[0].field]).toEqual([400, 'activity_id'])
  })
})

describe('§5 what is found', () => {
  it.each<[string, object, object, string]>([
    ['wide globs', { scope: { paths: ['src/**/a.ts'] } }, { scope: { paths: ['src/x/*.ts'] } }, 'medium'],
    ['a glob and a client’s file', { changes: changed([1, 1]) }, { scope: { paths: ['src'] } }, 'medium'],
    ['a client’s file and a glob', { scope: { paths: ['**/*.ts'] } }, { changes: changed([1, 1]) }, 'medium'],
    ['an issue', { issues: [7] }, { issues: [7], scope: { paths: ['docs'] } }, 'medium'],
    ['a file whose lines are not known', { changes: { files: [{ path }] } }, { changes: { files: [{ path }] } }, 'low'],
  ])('%s', async (_, theirs, mine, severity) => {
    const { alice, bob } = await quietRepository()
    const { activity } = await create(alice, theirs)
    expect((await check(bob, mine)).collisions).toMatchObject([{ activity_id: activity.id, severity }])
  })

  it('what git can not merge without a shared path is near', async () => {
    const { alice, bob } = await quietRepository()
    const renamed = { path: 'core/a.ts', previous_path: 'lib/a.ts', status: 'renamed' }
    const { activity } = await create(alice, {
      changes: { files: [renamed, { path: 'docs/api/x.md', status: 'added' }] },
    })
    const near = {
      nearby: [{ activity_id: activity.id, severity: null }],
      obstacles: ['near'],
      overlap_detected: false,
    }
    const added = (at: string) => ({ changes: { files: [{ path: at, status: 'added' }] } })
    const answer = await check(bob, added('lib/new.ts'))
    expect(answer).toMatchObject({ ...near, nearby_count: 1, related_activity_ids: [] })
    expect(answer.relationships).toEqual({})
    expect(await check(bob, added('docs/api'))).toMatchObject(near)
    expect(await check(bob, added('docs/api/x.md/y'))).toMatchObject(near)
    expect(await check(bob, added('other/x.md'))).toMatchObject({ nearby: [], clear: true })
  })

  it('all of them are near, however many files one’s own record renames out of the directory', async () => {
    const { alice, bob } = await quietRepository()
    const renamed = (name: string) => ({ path: `core/${name}`, previous_path: `lib/${name}`, status: 'renamed' })
    const names = Array.from({ length: 60 }, (_, at) => `${at}.ts`)
    const { activity: own } = await create(bob, { branch: 'b', changes: { files: names.map(renamed) } })
    const { activity: other } = await create(alice, { branch: 'a', changes: { files: [renamed('z.ts')] } })
    const files = [...names.map(renamed), { path: 'lib/new.ts', status: 'added' }]
    const answer = await check(bob, { activity_id: own.id, changes: { files } })
    expect(answer).toMatchObject({ nearby: [{ activity_id: other.id }], obstacles: ['near'] })
  })

  it('work into another branch is near only', async () => {
    const { alice, bob } = await quietRepository()
    await create(alice, { base_branch: 'v1', changes: changed([1, 1]) })
    expect(await check(bob, { base_branch: 'main', changes: changed([1, 1]) })).toMatchObject({ obstacles: ['near'] })
    expect(await check(bob, { changes: changed([1, 1]) })).toMatchObject({ obstacles: ['collision'] })
  })

  it('ignored files count for nobody, and areas of the settings do, from when they are read', async () => {
    const { alice, bob, observation } = await quietRepository()
    await create(alice, { scope: { areas: ['auth'] }, changes: { files: [{ path: 'gen/x.ts' }] } })
    const notable = { title: 'T', summary: 'S', importance: 'low', category: 'release', scope: { paths: ['gen'] } }
    await alice.post('/notables', notable)
    const ignored = { changes: { files: [{ path: 'gen/x.ts' }] } }
    expect(await check(bob, ignored)).toMatchObject({ obstacles: ['collision', 'notable'] })
    await observation.read([], { ignored_paths: ['gen/**'], areas: { Auth: ['src/auth/**'] } })
    expect(await check(bob, ignored)).toMatchObject({ collisions: [], notables: [] })
    const below = await check(bob, { scope: { paths: ['src/auth/login.ts'] } })
    expect(below.collisions).toMatchObject([{ by: 'area', severity: 'low', areas: ['auth'] }])
    await create(bob, { scope: { paths: ['src/auth/**'] } })
    expect((await check(alice, { tags: ['AUTH'] })).collisions).toMatchObject([{ by: 'area' }, { by: 'area' }])
  })

  it('work of a member whose files are not all kept is cut for whoever names a file', async () => {
    const { alice, bob } = await quietRepository()
    await create(alice, { changes: { ...changed([1, 1]), files_total: 4_000 } })
    expect(await check(bob, { scope: { paths: ['docs/x.md'] } })).toMatchObject({ obstacles: ['cut'] })
    expect(await check(bob, { tags: ['auth'] })).toMatchObject({ obstacles: [] })
    await create(bob, { scope: { paths: ['docs/x.md'] } })
    expect((await alice.get('/collisions')).body).toMatchObject({ items: [], truncated: true })
  })

  it('one’s own files that are not all known are cut, sent or recorded', async () => {
    const { alice } = await quietRepository()
    const changes = { ...changed([1, 1]), files_total: 4_000 }
    expect(await check(alice, { changes })).toMatchObject({ obstacles: ['cut'], clear: false })
    const { activity, overlap } = await create(alice, { changes })
    expect(overlap).toMatchObject({ obstacles: ['cut'], clear: false })
    expect(await check(alice, { activity_id: activity.id })).toMatchObject({ obstacles: ['cut'] })
    const whole = { activity_id: activity.id, changes: changed([1, 1]) }
    expect(await check(alice, whole)).toMatchObject({ obstacles: [], clear: true })
  })
})

describe('§5 own and stacked work', () => {
  it('is expected, and no overlap', async () => {
    const { alice, bob } = await quietRepository()
    const scope = { paths: ['src/**'] }
    const { activity: base } = await create(alice, { branch: 'a', base_branch: 'main', scope })
    const { activity: middle } = await create(alice, { branch: 'b', base_branch: 'a' })
    const { activity: own } = await create(bob, { branch: 'c', base_branch: 'b', scope })
    const answer = await check(bob, { branch: 'c', base_branch: 'b', scope })
    expect(answer).toMatchObject({
      overlap_detected: false,
      relationships: { [base.id]: 'stacked', [middle.id]: 'stacked', [own.id]: 'own' },
    })
    expect((await check(alice, { branch: 'c', base_branch: 'b', scope })).related_activity_ids).toEqual([own.id])
  })
})

describe('§5 notables', () => {
  it('match by their scope, and say until when', async () => {
    const { alice } = await quietRepository()
    const notable = { title: 'Freeze', summary: 'No merges.', importance: 'high', category: 'release' }
    const applies_until = new Date(Date.now() + 3_600_000).toISOString()
    const raised = await alice.post('/notables', { ...notable, scope: { paths: ['src/**'] }, applies_until })
    const over = { ...notable, scope: { paths: ['src/**'] }, applies_until: '2020-01-01T00:00:00Z' }
    await alice.post('/notables', over)
    const listed = await alice.post('/notables', notable)
    const answer = await check(alice, { changes: changed([1, 1]) })
    expect(answer).toMatchObject({
      ...{ overlap_detected: true, severity: 'medium', obstacles: ['notable'] },
      ...{ related_notable_ids: [raised.body.id], repository_notable_ids: [listed.body.id] },
      notables: [{ id: raised.body.id, until: applies_until, about: 'scope', severity: 'medium' }],
    })
    expect(answer.recommended_action).toContain('Freeze')
    expect((await check(alice, { scope: { paths: ['docs'] } })).related_notable_ids).toEqual([])
  })

  it('a freeze matches every proposal', async () => {
    const { alice } = await quietRepository()
    const freeze = { title: 'Freeze', summary: 'x', importance: 'low', category: 'release', blocking: true }
    await alice.post('/notables', freeze)
    expect(await check(alice, {})).toMatchObject({ severity: 'high', notables: [{ about: 'repository' }] })
  })
})

describe('§5 reuse', () => {
  it('offers what was merged within 7 days at the same place, or for the same issue', async () => {
    const { alice, bob, observation } = await quietRepository()
    const made: Record<string, string> = {}
    for (const [name, body] of Object.entries({
      file: { changes: changed([1, 1]) },
      issue: { issues: [9], scope: { paths: ['docs'] } },
      elsewhere: { scope: { paths: ['lib'] } },
      old: { changes: changed([1, 1]) },
    })) {
      const { activity } = await create(alice, body)
      made[name] = activity.id
      await alice.patch(`/activity/${activity.id}`, { status: 'merged' })
    }
    const ended_at = new Date(Date.now() - 8 * 86_400_000)
    await observation.prisma.activity.updateMany({ where: { id: made.old ?? '' }, data: { ended_at } })
    const { reuse_opportunities } = await check(bob, { issues: [9], changes: changed([1, 1]) })
    expect(reuse_opportunities.map(({ activity_id }: { activity_id: string }) => activity_id)).toEqual([
      made.issue,
      made.file,
    ])
    expect(reuse_opportunities[0]).toMatchObject({ title: work.title, reason: expect.stringContaining('#9') })
  })

  it('is not lost among what was merged into the same branch', async () => {
    const { alice, bob, observation } = await quietRepository()
    const { activity } = await create(alice, { base_branch: 'develop', changes: changed([1, 1]) })
    await alice.patch(`/activity/${activity.id}`, { status: 'merged' })
    const { prisma } = observation
    const { repository_id } = await prisma.activity.findFirstOrThrow({ where: { id: activity.id } })
    const ended_at = new Date(Date.now() + 1_000)
    const rest = {
      ...work,
      status: 'merged',
      risk: 'low',
      blocking: false,
      draft_pr: false,
      archived_reason: 'merged',
    } as const
    const times = { began_at: ended_at, created_at: ended_at, updated_at: ended_at, expires_at: ended_at, ended_at }
    const ids = Array.from({ length: 100 }, () => newId('act', ended_at))
    await prisma.activity.createMany({
      data: ids.map((id) => ({ repository_id, id, ...rest, ...times, base_branch: 'develop' })),
    })
    await prisma.place.createMany({ data: ids.map((activity_id) => ({ repository_id, activity_id, key: '@develop' })) })
    const { reuse_opportunities } = await check(bob, { base_branch: 'develop', changes: changed([1, 1]) })
    expect(reuse_opportunities).toMatchObject([{ activity_id: activity.id }])
  })
})
