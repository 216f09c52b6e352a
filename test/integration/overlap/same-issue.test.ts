import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CollidingPair } from '../../../src/core/schemas/live.ts'
import type { Overlap, ProposalPair } from '../../../src/core/schemas/overlap.ts'
import { day } from '../../support/clock.ts'
import { repositoryOf } from '../../support/github/data.ts'
import { connectModel } from '../../support/mcp.ts'
import { changedFile, insertPullRequest } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { alice, bob, testViewer } from '../../support/viewer.ts'

const viewer = testViewer()
let service: TestService
let second: TestService
beforeAll(async () => {
  service = await startTestService({ viewerOf: viewer.viewerOf })
  second = await startTestService({ sharedWith: service, viewerOf: viewer.viewerOf })
  viewer.account = bob
})
afterAll(async () => {
  await second.stop()
  await service.stop()
})

const work = { title: 'Login', summary: 'Rework it.', actor: 'carla' }
const record = (repository: TestRepository, fields: object = {}) =>
  viewer.as({ account: alice }, async () => (await repository.created('/activity', { ...work, ...fields })).activity)
function publicRepository(): TestRepository {
  const repository = service.newRepository()
  repositoryOf(service.github.data, Number(repository.id)).private = false
  return repository
}
const pullRequest = (
  repository: TestRepository,
  number: number,
  { pull = {}, activity = {}, ...rest }: Parameters<typeof insertPullRequest>[3] = {},
) =>
  insertPullRequest(service.db, repository, service.clock.now(), {
    pull: { number, head_ref: `branch-${number}`, ...pull },
    activity: { issues: [42], actor: 'carla', author_login: 'carla', author_id: 9n, ...activity },
    ...rest,
  })
const outside = { pull: { author_association: 'NONE', head_repository_id: 999n } }
const pairsOf = async (repository: TestRepository) =>
  ((await repository.get('/collisions')).body as { items: CollidingPair[] }).items

describe('two works for the same issue', () => {
  it('collide whatever their scopes, also with none', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository, { issues: [7, 42], scope: { paths: ['docs'] } })
    const overlap = await repository.check({ issues: [42, 43] })
    expect(overlap).toMatchObject({
      ...{ overlap_detected: true, clear: false, severity: 'medium', related_activity_ids: [id] },
      collisions: [{ activity_id: id, severity: 'medium', issues: [42], example_path: null, areas: [] }],
      relationships: { [id]: 'collision' },
    })
    expect(overlap.reason).toBe(
      '“carla” is working on “Login” for the same issue #42, begun just now, before you (medium severity).\nOnly issues #42 and #43 were compared: no paths, areas or tags were named.',
    )
    expect(overlap.recommended_action).toContain(
      'Ask “carla” before you start, or take up something else than issue #42.',
    )
    const nothing = await repository.check({ issues: [8] })
    expect(nothing).toMatchObject({ overlap_detected: false, clear: false, collisions: [] })
    expect(nothing.reason).toBe(
      'No other known work counts for issue #8.\nOnly issue #8 was compared: no paths, areas or tags were named.',
    )
  })

  it('are told with the pull request, since when it is open, and the file that both change', async () => {
    const repository = service.newRepository()
    const opened_at = new Date(service.clock.now().getTime() - 2 * day)
    await pullRequest(repository, 131, { activity: { opened_at, title: 'Log in' }, files: [changedFile('src/a.ts')] })
    const issueAlone = await repository.check({ issues: [42], scope: { paths: ['docs'] } })
    expect(issueAlone.reason).toContain(
      '“carla” has pull request #131 “Log in” on branch “branch-131” for the same issue #42, opened 2 days ago, before you, pushed just now (medium severity).',
    )
    expect(issueAlone.recommended_action).toContain('Ask “carla” (#131) before you start, build on branch “branch-131”')
    const changes = { files: [{ path: 'src/a.ts', lines: [[2, 3]] }] }
    expect((await repository.check({ issues: [42], changes })).reason).toContain(
      'for the same issue #42, opened 2 days ago, before you, pushed just now, changing lines 1–5 of “src/a.ts”, touching your lines 2–3 (high severity).',
    )
  })

  it('count more where the other one is blocking or risky', async () => {
    const repository = service.newRepository()
    await record(repository, { issues: [42], risk: 'high' })
    expect(await repository.check({ issues: [42] })).toMatchObject({ severity: 'high', collisions: [{ issues: [42] }] })
  })

  it('name the issue also where the index decides that their paths overlap', async () => {
    const repository = service.newRepository()
    await record(repository, { issues: [42], scope: { paths: ['src/a.ts'] } })
    const overlap = await repository.check({ issues: [42], scope: { paths: ['src/a.ts'] } })
    expect(overlap).toMatchObject({ severity: 'high', collisions: [{ issues: [42], example_path: 'src/a.ts' }] })
  })

  it('are low where both know it from the names of their branches alone', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository, { issues: [42], issues_from: 'branch' })
    expect(await repository.check({ issues: [42], issues_from: 'branch' })).toMatchObject({ severity: 'low' })
    expect(await repository.check({ issues: [42] })).toMatchObject({ severity: 'medium' })
    await repository.patch(`/activity/${id}`, { issues: [42] })
    expect(await repository.check({ issues: [42], issues_from: 'branch' })).toMatchObject({ severity: 'medium' })
  })

  it('are low with a stranger and with a stale pull request', async () => {
    const strangers = publicRepository()
    await pullRequest(strangers, 5, outside)
    const overlap = await strangers.check({ issues: [42] })
    expect(overlap).toMatchObject({ severity: 'low', collisions: [{ outside: true, issues: [42] }] })
    const stale = service.newRepository()
    const pushed_at = new Date(service.clock.now().getTime() - 31 * day)
    await pullRequest(stale, 5, { pull: { pushed_at } })
    expect(await stale.check({ issues: [42] })).toMatchObject({ severity: 'low', collisions: [{ issues: [42] }] })
  })

  it('are no collision where they are own or stacked', async () => {
    const repository = service.newRepository()
    await record(repository, { issues: [42], branch: 'feat/a', base_branch: 'main' })
    expect(await repository.check({ issues: [42], branch: 'feat/a' })).toMatchObject({ overlap_detected: false })
    expect(await repository.check({ issues: [42], branch: 'feat/b', base_branch: 'feat/a' })).toMatchObject({
      overlap_detected: false,
    })
  })

  it('are nearby where the author is ignored', async () => {
    const repository = service.newRepository()
    const { id } = await pullRequest(repository, 5, {
      activity: { actor: 'dependabot[bot]', author_login: 'dependabot[bot]' },
    })
    const overlap = await repository.check({ issues: [42], scope: { paths: ['docs'] } })
    expect(overlap).toMatchObject({ overlap_detected: false, clear: true, nearby_activity_ids: [id], nearby_count: 1 })
  })

  it('are told to the earlier one as well: it was there first', async () => {
    const repository = service.newRepository()
    const first = await record(repository, { issues: [42] })
    await record(repository, { issues: [42], actor: 'dora' })
    const overlap = await repository.check({ activity_id: first.id })
    expect(overlap).toMatchObject({ severity: 'medium', collisions: [{ issues: [42] }] })
    expect(overlap.recommended_action).toContain('Tell “dora” that you have issue #42 already')
  })
})

describe('work that was merged for an issue', () => {
  const merge = (repository: TestRepository, id: string, endedAt: Date) =>
    service.db.query(
      `update activities set status = 'archived', archived_reason = 'merged', archived_at = $3, ended_at = $3 where repository_id = $1 and id = $2`,
      [repository.id, id, endedAt],
    )
  const daysAgo = (days: number) => new Date(service.clock.now().getTime() - days * day)
  const src = { scope: { paths: ['src/b.ts'] } }
  const mergedIn = async (repository: TestRepository, ...merged: [fields: object, days: number][]) => {
    const ids: string[] = []
    for (const [fields, days] of merged) {
      const { id } = await record(repository, fields)
      await merge(repository, id, daysAgo(days))
      ids.push(id)
    }
    return ids
  }
  const reused = async (repository: TestRepository, body: object) =>
    (await repository.check(body)).reuse_opportunities.map(({ activity_id, issues }) => [activity_id, issues])

  it('is told for 7 days, with the pull request and since when', async () => {
    const repository = service.newRepository()
    const { id } = await pullRequest(repository, 131)
    await merge(repository, id, daysAgo(1))
    const overlap = await repository.check({ issues: [42], ...src })
    const reason = '#42 was closed by #131, merged yesterday (work of “carla”): see what is left to do.'
    expect(overlap).toMatchObject({
      ...{ overlap_detected: false, recommended_action: `${reason}\nThen go ahead.` },
      reuse_opportunities: [{ activity_id: id, issues: [42], reason }],
    })
    expect(await reused(repository, { issues: [43], ...src })).toEqual([])
    service.clock.advance(6 * day - 1)
    expect(await reused(repository, { issues: [42] })).toEqual([[id, [42]]])
    service.clock.advance(1)
    expect(await reused(repository, { issues: [42] })).toEqual([])
  })

  it('stands first, before newer work in the same place', async () => {
    const repository = service.newRepository()
    const [older, newer, place] = await mergedIn(
      repository,
      [{ issues: [42], scope: { paths: ['docs'] } }, 3],
      [{ issues: [7, 42, 9], ...src }, 2],
      [{ issues: [8], ...src }, 1],
    )
    const expected = [
      [newer, [7, 42]],
      [older, [42]],
      [place, []],
    ]
    expect(await reused(repository, { issues: [7, 42], ...src })).toEqual(expected)
  })

  it('is there once for each pull request, as the recorded work, with the issues of the pull request', async () => {
    const repository = service.newRepository()
    const { id: observed } = await pullRequest(repository, 12, { activity: { branch: 'branch-12' } })
    const { id } = await record(repository, { branch: 'branch-12', ...src })
    for (const ended of [observed, id]) await merge(repository, ended, daysAgo(2))
    expect(await reused(repository, { issues: [42], ...src })).toEqual([[id, [42]]])
    expect(await reused(repository, { issues: [42] })).toEqual([[observed, [42]]])
  })

  it('is found however much newer work is near, and so is what comes after that', async () => {
    const repository = service.newRepository()
    const [closing, last] = await mergedIn(repository, [{ issues: [42] }, 5], [src, 4])
    await service.fill(repository, 60, ['src/a*.ts'])
    await service.db.query(
      `update activities set status = 'merged', ended_at = $2 where repository_id = $1 and ended_at is null`,
      [repository.id, daysAgo(1)],
    )
    expect(await reused(repository, { issues: [42], scope: { paths: ['src/b*.ts'] } })).toEqual([
      [closing, [42]],
      [last, []],
    ])
  })
})

describe('a check with activity_id', () => {
  it('takes the issues of the record where it sends none', async () => {
    const repository = service.newRepository()
    const own = await record(repository, { issues: [42] })
    const other = await record(repository, { issues: [42] })
    const related = async (body: object) =>
      (await repository.check({ activity_id: own.id, ...body })).related_activity_ids
    expect(await related({})).toEqual([other.id])
    expect(await related({ issues: [7] })).toEqual([])
    expect(await related({ issues: [] })).toEqual([])
  })

  it('counts those of the pull request that the record covers, whatever it sends', async () => {
    const repository = service.newRepository()
    await pullRequest(repository, 12, { pull: { head_ref: 'sessions' }, activity: { branch: 'sessions' } })
    const own = await record(repository, { branch: 'sessions', issues: [7] })
    const other = await record(repository, { issues: [42] })
    expect(await repository.check({ activity_id: own.id, issues: [] })).toMatchObject({
      related_activity_ids: [other.id],
    })
  })
})

describe('recorded work that covers a pull request', () => {
  it('collides by the issues of both', async () => {
    const repository = service.newRepository()
    await pullRequest(repository, 12, { activity: { branch: 'branch-12' } })
    const paths = ['src/a.ts']
    const { id } = await record(repository, { branch: 'branch-12', issues: [7], scope: { paths } })
    for (const body of [{ issues: [42] }, { issues: [7] }, { issues: [42], scope: { paths } }]) {
      const overlap = await repository.check(body)
      expect(overlap).toMatchObject({ collisions: [{ activity_id: id, issues: body.issues }] })
    }
  })
})

describe('an issue that more than 5 others name', () => {
  it('is nearby, in one line, and strangers never count for that', async () => {
    const repository = publicRepository()
    for (let n = 0; n < 5; n++) await record(repository, { issues: [42], actor: `member-${n}` })
    await pullRequest(repository, 5, outside)
    const few = await repository.check({ issues: [42], scope: { paths: ['docs'] } })
    expect(few).toMatchObject({ severity: 'medium', nearby_count: 0 })
    expect(few.related_activity_ids).toHaveLength(6)
    await record(repository, { issues: [42], actor: 'member-5' })
    const many = await repository.check({ issues: [42], scope: { paths: ['docs'] } })
    expect(many).toMatchObject({ overlap_detected: false, clear: true, nearby_count: 7 })
    expect(many.reason).toBe(
      'Nothing recorded or open meets this.\nFor the same issue #42, and no overlap: “Login” by “member-5”, “Login” by “member-4”, “Login” by “member-3” and 4 more.',
    )
  })

  it('and work that was merged for it reach a model over MCP', async () => {
    const repository = service.newRepository()
    const ids: string[] = []
    for (let n = 0; n < 7; n++) ids.push((await record(repository, { issues: [42], actor: `member-${n}` })).id)
    await repository.patch(`/activity/${ids[0]}`, { status: 'merged' })
    const model = await connectModel(service.url, repository.writer)
    const named = { repository: `${repository.owner}/${repository.name}` }
    const proposal = { issues: [42], scope: { paths: ['docs'] } }
    const overlap = await model.done<Overlap>('check_overlap', { ...named, ...proposal })
    expect(overlap.reason).toContain('For the same issue #42, and no overlap: “Login” by “member-6”')
    expect(overlap.recommended_action).toContain('#42 was closed by “Login”, merged just now (work of “member-0”)')
    expect(overlap.reuse_opportunities).toMatchObject([{ activity_id: ids[0], issues: [42] }])
    const proposals = [proposal, { issues: [42], scope: { paths: ['lib'] } }]
    const { pairs } = await model.done<{ pairs: ProposalPair[] }>('check_tasks', { ...named, proposals })
    expect(pairs).toMatchObject([{ indexes: [0, 1], issues: [42] }])
    await model.close()
  })

  it('still collides by the other issue that two share', async () => {
    const repository = service.newRepository()
    for (let n = 0; n < 6; n++) await record(repository, { issues: n === 0 ? [7, 42] : [42] })
    expect(await repository.check({ issues: [7, 42] })).toMatchObject({
      severity: 'medium',
      collisions: [{ issues: [7] }],
      nearby_count: 5,
    })
  })
})

describe('the pairs of a repository', () => {
  it('name the issue and both people, and follow a change of the issues alone', async () => {
    const repository = service.newRepository()
    const first = await record(repository, { issues: [42], scope: { paths: ['a'] } })
    const later = await record(repository, { issues: [42], scope: { paths: ['b'] }, actor: 'dora' })
    expect(await pairsOf(repository)).toMatchObject([
      { activity_ids: [later.id, first.id], severity: 'medium', issues: [42], example_path: null, areas: [] },
    ])
    expect((await pairsOf(repository))[0]?.reason).toContain('for the same issue #42 as “')
    service.clock.advance(5_000)
    const since = service.clock.now().toISOString()
    await repository.patch(`/activity/${later.id}`, { issues: [7] })
    expect(await pairsOf(repository)).toEqual([])
    await repository.patch(`/activity/${first.id}`, { issues: [7] })
    expect(await pairsOf(repository)).toMatchObject([{ issues: [7], since }])
  })

  it('are low with a stranger, from whichever side they are seen', async () => {
    const repository = publicRepository()
    const { id } = await pullRequest(repository, 5, outside)
    const { id: own } = await record(repository, { issues: [42] })
    expect(await pairsOf(repository)).toMatchObject([{ activity_ids: [own, id], severity: 'low', outside_ids: [id] }])
  })
})

describe('a check of many tasks', () => {
  it('finds the proposals that are for the same issue', async () => {
    const repository = service.newRepository()
    const proposals = [
      { issues: [42], scope: { paths: ['a'] } },
      { issues: [7], scope: { paths: ['b'] } },
      { issues: [7, 42], scope: { paths: ['c'] }, branch: 'x' },
    ]
    const { status, body } = await repository.post('/activity/check/batch', { proposals })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      pairs: [
        { indexes: [0, 2], severity: 'medium', issues: [42], example_path: null, areas: [] },
        { indexes: [1, 2], severity: 'medium', issues: [7], example_path: null, areas: [] },
      ],
    })
  })
})

describe('many tasks for one issue', () => {
  interface Answer {
    results: Overlap[]
    pairs: ProposalPair[]
  }
  const checked = async (proposals: object[]) => {
    const { body } = await service.newRepository().post('/activity/check/batch', { proposals })
    return body as Answer
  }
  const tasks = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ issues: [42], scope: { paths: [`dir-${n}/**`] } }))

  it('are for one agent, and not to be done in other files', async () => {
    const { results, pairs } = await checked([...tasks(2), { issues: [7], scope: { paths: ['dir-0/a.ts'] } }])
    expect(pairs).toMatchObject([
      { indexes: [0, 1], issues: [42] },
      { indexes: [0, 2], issues: [] },
    ])
    expect(results.map(({ recommended_action }) => recommended_action.split('\n'))).toEqual([
      [
        'Give it to one agent together with proposals[1]: they are for the same issue #42.',
        'Do these proposals one after the other, or give each its own files.',
      ],
      ['Give it to one agent together with proposals[0]: they are for the same issue #42.'],
      ['Do these proposals one after the other, or give each its own files.'],
    ])
  })

  it('collide with 5 others, and with more they are near: an epic, of which each is told in one line', async () => {
    const six = await checked(tasks(6))
    expect(six.pairs).toHaveLength(15)
    const seven = await checked(tasks(7))
    expect(seven.pairs).toEqual([])
    expect(seven.results[2]).toMatchObject({ clear: true, recommended_action: 'Go ahead.' })
    expect(seven.results[2]?.reason).toBe(
      'Nothing recorded or open meets this.\nFor the same issue #42, and no overlap: proposals[0], proposals[1], proposals[3], proposals[4], proposals[5] and 1 more of the same request.',
    )
  })

  it('are told where they are the same change', async () => {
    const blob = 'a'.repeat(40)
    const changes = { files: [{ path: 'src/a.ts', lines: [[1, 5]], blob }] }
    const { results, pairs } = await checked([{ changes }, { changes }, tasks(1)[0] ?? {}])
    expect(pairs).toMatchObject([{ indexes: [0, 1], same_change: true, example_path: 'src/a.ts' }])
    expect(results[0]?.recommended_action).toContain('Do once what is the same: the change of proposals[1] is the same')
  })
})

describe('two creates at the same moment', () => {
  // 1,000 by hand: PAIRS=1000.
  const pairs = Number(process.env.PAIRS ?? 40)
  it(`on two instances, for one issue and on different paths, are told of each other: ${pairs} pairs`, async () => {
    const repository = service.newRepository()
    let blind = 0
    for (let n = 1; n <= pairs; n++) {
      const create = async (on: TestService, side: string) => {
        const body = { ...work, issues: [n], scope: { paths: [`${side}/${n}`] } }
        return (await on.as(repository).created('/activity', body)).overlap
      }
      const overlaps = await Promise.all([create(service, 'a'), create(second, 'b')])
      if (overlaps.every(({ related_activity_ids }) => related_activity_ids.length === 0)) blind++
    }
    expect(blind).toBe(0)
  })
})
