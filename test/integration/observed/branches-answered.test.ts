import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { day, hour, minute, second } from '../../support/clock.ts'
import { repositoryPayload } from '../../support/deliveries.ts'
import { faults } from '../../support/github/faults.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { record } from '../webhooks/recovery.ts'
import { file, settings, useBranches } from './observed-branches.ts'
import { startObserving } from './observing.ts'

const at = useBranches()
const { push, open, live, last, branchRow, observed, deliver, pushPayload } = at

describe('an answer', () => {
  let asked: TestService
  beforeAll(async () => {
    asked = await startTestService({ sharedWith: at.service, githubApp: true, settings, callers: {} })
  })
  afterAll(() => asked.stop())

  /** What a check says is not read. The list and the colliding pairs say the same. */
  async function observedState(from = asked) {
    const through = from.as(at.repository)
    const { observed: state, ...overlap } = await through.check({ changes: { files: [file()] } })
    for (const path of ['/activity', '/collisions'])
      expect((await through.get(path)).body).toMatchObject({ observed: state })
    return { state, text: `${overlap.reason} ${overlap.recommended_action}` }
  }
  const nothingUnread = { pull_requests: 'current', unread: 0 }

  it('counts a branch that is pushed and not read, also while GitHub refuses, and never says to go ahead', async () => {
    expect((await observedState()).state).toMatchObject(nothingUnread)
    await push()
    const waiting = await observedState()
    expect(waiting.state).toMatchObject({ pull_requests: 'current', unread: 1, unread_branches: 1 })
    expect(waiting.text).toContain('The files of 1 pushed branch are not read yet.')
    expect(waiting.text).toContain('not all pushed branches are read: check again in a minute')
    const mend = at.service.github.fail(faults.unicorn(), {
      path: `/repos/${at.repository.owner}/${at.repository.name}/compare/`,
    })
    await at.observing.all()
    mend()
    await open('other')
    expect((await observedState()).state).toMatchObject({ unread: 2, unread_branches: 1 })
    at.service.clock.advance(minute)
    await at.observing.all()
    const { state } = await observedState()
    expect(state).toMatchObject(nothingUnread)
    expect(state).not.toHaveProperty('unread_branches')
  })

  it('says "go ahead" to nobody else while GitHub does not list all files of a branch', async () => {
    const changed = Array.from({ length: 310 }, (_, n) => file(`src/${n}.ts`))
    await observed('feat', { changed })
    const check = (branch: string) =>
      asked.as(at.repository).check({ branch, base_branch: 'main', changes: { files: [file('src/309.ts')] } })
    const other = await check('other')
    expect(other).toMatchObject({ overlap_detected: false })
    expect(other.reason).toContain('GitHub lists only 300 files of pushed branch “feat”: it may change more.')
    expect(other.recommended_action).toBe(
      'Nothing that is known stands in the way, but not all files of pushed branch “feat” are known: look at it yourself.',
    )
    expect((await check('feat')).recommended_action).toContain('Go ahead.')
    await observed('feat', { changed: changed.slice(0, 299), forced: true })
    expect((await check('other')).recommended_action).toBe('Go ahead.')
    await observed('feat', { changed, forced: true })
    await at.service.github.deleteBranch(at.repository, 'feat')
    expect((await check('other')).recommended_action).toBe('Go ahead.')
  })

  it('counts no branch that is not to be read: of an open pull request, deleted, put aside, or too old', async () => {
    await open('feat')
    await at.observing.all()
    at.service.clock.advance(second)
    // The event of the pull request comes later.
    const pushed_at = Math.floor(at.service.clock.now().getTime() / 1000)
    const after = 'b'.repeat(40)
    await deliver(
      at.service,
      'push',
      pushPayload('feat', { after, repository: repositoryPayload(at.repository, { pushed_at }) }),
    )
    expect(await branchRow()).toMatchObject({ head_sha: after, files_head_sha: null })
    expect((await observedState()).state).toMatchObject({ unread: 0 })
    await push('gone')
    await at.service.github.deleteBranch(at.repository, 'gone')
    const { id } = await observed('aside')
    await at.repository.post(`/activity/${id}/archive`)
    await push('old')
    at.service.clock.advance(3 * day)
    expect((await observedState()).state).toMatchObject({ unread: 0 })
  })

  it('counts none where the settings do not observe branches any more', async () => {
    await push()
    const without = await startTestService({ sharedWith: at.service, githubApp: true, callers: {} })
    expect((await observedState(without)).state).toMatchObject({ unread: 0 })
    await without.stop()
  })
})

describe('recorded work on the branch', () => {
  it('covers the record of the branch as long as it lives, with its changes', async () => {
    const { id } = await observed()
    const own = await record(at.repository, { branch: 'feat', pr_url: 'https://github.com/other/repo/pull/5' })
    const shown = async () => (await at.repository.page('/activity')).items.map((one) => one.id)
    expect(await shown()).toEqual([own])
    expect((await at.repository.get(`/activity/${id}`)).body).toMatchObject({ covered_by: own })
    expect((await at.repository.get(`/activity/${own}`)).body).toMatchObject({
      changes: { by: 'github', files: [{ path: 'src/a.ts', lines: [[3, 5]] }] },
    })
    expect(await at.repository.check({ branch: 'x', changes: { files: [file()] } })).toMatchObject({
      related_activity_ids: [own],
    })
    await at.repository.post(`/activity/${own}/archive`)
    expect(await shown()).toEqual([id])
    expect(await at.repository.check({ branch: 'x', changes: { files: [file()] } })).toMatchObject({
      related_activity_ids: [id],
    })
  })
})

describe('a caller', () => {
  it('puts a branch aside by archiving it, until its next push', async () => {
    const { id } = await observed()
    await at.repository.post(`/activity/${id}/archive`)
    await at.observing.all()
    expect(await live()).toEqual([])
    const next = await observed()
    expect(next.id).not.toBe(id)
    await at.repository.patch(`/activity/${next.id}`, { status: 'abandoned' })
    await at.observing.all()
    expect(await live()).toEqual([])
  })

  it('changes its words and its scope, but not what follows GitHub', async () => {
    const { id } = await observed()
    const fields = { title: 'Mine', summary: 'Is it.', risk: 'high', scope: { areas: ['auth'], paths: [] } }
    expect((await at.repository.patch(`/activity/${id}`, fields)).body).toMatchObject(fields)
    await observed('feat', { changed: [file('src/z.ts')] })
    expect(await last()).toMatchObject({ id, title: 'Mine', summary: 'Is it.', paths: [], areas: ['auth'] })
    for (const change of [{ branch: 'other' }, { base_branch: 'x' }, { status: 'paused' }]) {
      const { status, body } = await at.repository.patch(`/activity/${id}`, change)
      expect([status, body]).toMatchObject([409, { error: { code: 'observed' } }])
    }
  })

  it('extends it by a heartbeat, and never brings its end nearer', async () => {
    const { id, expires_at } = await observed()
    await at.repository.post(`/activity/${id}/heartbeat`)
    expect(await last()).toMatchObject({ expires_at })
    at.service.clock.advance(3 * day - hour)
    await at.repository.post(`/activity/${id}/heartbeat`)
    expect((await last()).expires_at.getTime()).toBe(at.service.clock.now().getTime() + day)
    at.service.clock.advance(day)
    expect((await at.repository.post(`/activity/${id}/heartbeat`)).status).toBe(200)
    expect(await last()).toMatchObject({ archived_reason: 'expired' })
  })
})

describe('what a check says of a pushed branch', () => {
  it('is who changes which lines on which branch', async () => {
    const { id } = await observed('fix/login')
    const overlap = await at.repository.check({ branch: 'x', base_branch: 'main', changes: { files: [file()] } })
    expect(overlap).toMatchObject({
      severity: 'high',
      related_activity_ids: [id],
      collisions: [{ activity_id: id, source: 'branch', branch: 'fix/login', actor: 'bob', pr_url: null }],
    })
    expect(overlap.reason).toContain(`“bob” has pushed branch “fix/login”, begun`)
    expect(overlap.recommended_action).toContain(`Talk to “bob” (pushed branch “fix/login”) before you start`)
  })

  it('is that the own branch is seen already', async () => {
    const { id } = await observed('feat')
    const overlap = await at.repository.check({ branch: 'feat', changes: { files: [file()] } })
    expect(overlap).toMatchObject({ overlap_detected: false, expected_activity_ids: [id] })
    expect(overlap.recommended_action).toContain(`Your work is seen already as a pushed branch.`)
    expect(overlap.recommended_action).not.toContain('update it')
  })

  it('is that a branch on top of it is stacked, by its commits', async () => {
    const below = 'd'.repeat(40)
    const { id } = await observed('below', { commits: [{ sha: below }] })
    await push('above', { commits: [{ sha: below }, {}] })
    await at.observing.all()
    const above = await last()
    const { body } = await at.repository.get('/collisions')
    expect(body).toMatchObject({ items: [] })
    expect(await at.repository.check({ activity_id: above.id })).toMatchObject({ expected_activity_ids: [id] })
  })

  it('is a pair of colliding work with a pull request', async () => {
    const { id } = await observed('feat')
    await open('other', { files: [file()], author: 'carla' })
    await at.observing.all()
    const { body } = await at.repository.get('/collisions')
    expect(body).toMatchObject({ items: [{ activity_ids: [(await last()).id, id], severity: 'high' }] })
  })
})

it('a pushed branch has no check run, and no check run of a pull request names it', async () => {
  await observed('feat')
  await open('other', { files: [file()], author: 'carla' })
  const shadow = startObserving(at.service, { settings, shadow: true })
  await shadow.all()
  await shadow.report()
  const reports = await at.service.db.prisma.pullRequestReport.findMany({ where: { repository_id: at.repository.id } })
  expect(reports).toMatchObject([{ number: 1, title: 'No overlap with work in flight' }])
})
