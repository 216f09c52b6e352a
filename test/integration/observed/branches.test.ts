import { describe, expect, it } from 'vitest'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { day, hour, minute, second } from '../../support/clock.ts'
import { faults } from '../../support/github/faults.ts'
import { githubRepository } from '../settings/settings.ts'
import { appOf, hookUp, meanwhile, record } from '../webhooks/recovery.ts'
import { commits, file, settings, useBranches } from './observed-branches.ts'
import { startObserving } from './observing.ts'

const at = useBranches()
const { push, open, records, live, last, branchRow, branchRequests, observed, deliver, pushPayload } = at

describe('a pushed branch', () => {
  it('is work of who pushed it, with the changed files and lines, until 3 days after the push', async () => {
    const { id } = await observed('fix/login', { changed: [file(), file('src/b.ts', [[7, 8]])] })
    const pushedAt = at.service.clock.now().toISOString()
    const { body } = await at.repository.get(`/activity/${id}`)
    expect(body).toMatchObject({
      source: 'branch',
      title: 'fix/login',
      summary: 'Pushed branch: 2 files',
      actor: 'bob',
      author_login: 'bob',
      agent: null,
      status: 'active',
      branch: 'fix/login',
      base_branch: 'main',
      pr_url: null,
      draft_pr: false,
      risk: 'low',
      scope: { areas: [], paths: ['src/a.ts', 'src/b.ts'] },
      heartbeat_at: pushedAt,
      began_at: pushedAt,
      expires_at: new Date(at.service.clock.now().getTime() + 3 * day).toISOString(),
      pr_reminder_due: false,
      changes: {
        by: 'github',
        files_total: 2,
        files: [
          { path: 'src/a.ts', previous_path: null, status: 'modified', lines: [[3, 5]] },
          { path: 'src/b.ts', previous_path: null, status: 'modified', lines: [[7, 8]] },
        ],
      },
    })
    expect((await at.repository.page('/activity?source=branch')).items.map((one) => one.id)).toEqual([id])
  })

  it('lives on with its next push, and keeps its beginning', async () => {
    const first = await observed()
    at.service.clock.advance(2 * day)
    await push('feat', { changed: [file('src/c.ts')], author: 'carla' })
    expect(await last()).toMatchObject({
      id: first.id,
      expires_at: new Date(at.service.clock.now().getTime() + 3 * day),
    })
    await at.observing.all()
    expect(await last()).toMatchObject({
      id: first.id,
      actor: 'carla',
      paths: ['src/c.ts'],
      opened_at: first.opened_at,
      heartbeat_at: at.service.clock.now(),
    })
  })

  it('ends as expired without a push for 3 days, and a later push makes a new record', async () => {
    const first = await observed()
    at.service.clock.advance(3 * day)
    await sweep(at.service.db, { now: at.service.clock.now(), retentionMs: 30 * day })
    expect(await last()).toMatchObject({ archived_reason: 'expired', archived_at: first.expires_at })
    const second = await observed()
    expect(second.id).not.toBe(first.id)
    expect(second).toMatchObject({ ended_at: null })
  })

  it('of a coding agent names it as the agent', async () => {
    const agent = 'copilot-swe-agent[bot]'
    expect(await observed('copilot/fix', { author: agent })).toMatchObject({ actor: agent, agent })
  })

  it('has only the files of its last push after a forced push', async () => {
    await observed('feat', { commits: commits(3) })
    await observed('feat', { changed: [file('src/other.ts')], forced: true })
    expect(await live()).toHaveLength(1)
    expect(await last()).toMatchObject({ paths: ['src/other.ts'] })
    expect((await branchRow())?.commits).toHaveLength(1)
  })

  it('shows the 300 files that GitHub lists of more', async () => {
    const changed = Array.from({ length: 310 }, (_, n) => file(`src/${n}.ts`))
    const { id } = await observed('feat', { changed })
    const { body } = await at.repository.get(`/activity/${id}`)
    expect(body).toMatchObject({
      summary: 'Pushed branch: 300 files or more',
      changes: { files_total: 300, files_compared: 300 },
    })
  })

  it('ends when it is deleted, and a push that arrives late does not revive it', async () => {
    await observed()
    const payload = pushPayload('feat')
    at.service.clock.advance(second)
    await at.service.github.deleteBranch(at.repository, 'feat')
    expect(await last()).toMatchObject({ archived_reason: 'branch_deleted', archived_at: at.service.clock.now() })
    at.service.clock.advance(minute)
    await deliver(at.service, 'push', payload)
    expect(await branchRow()).toMatchObject({ head_sha: null })
    await at.observing.all()
    expect(await live()).toEqual([])
    expect(await observed()).toMatchObject({ ended_at: null })
  })

  it('that was deleted before its push arrives is not observed', async () => {
    at.service.github.data.app.hookUrl = null
    await push()
    const payload = pushPayload('feat')
    hookUp(at.service)
    at.service.clock.advance(second)
    await at.service.github.deleteBranch(at.repository, 'feat')
    await deliver(at.service, 'push', payload)
    expect(await branchRow()).toMatchObject({ head_sha: null })
    await at.observing.all()
    expect(await records()).toEqual([])
  })

  it('does not go back to an earlier push that arrives late', async () => {
    await push('feat', { changed: [file('src/early.ts')] })
    const payload = pushPayload('feat')
    await push('feat', { changed: [file('src/late.ts')] })
    const { head_sha } = (await branchRow()) ?? expect.fail()
    await deliver(at.service, 'push', payload)
    expect(await branchRow()).toMatchObject({ head_sha })
    await at.observing.all()
    expect(await last()).toMatchObject({ paths: ['src/late.ts'] })
  })
})

describe('of two pushes in the same second', () => {
  it.each(['in order', 'reversed'])('the later one counts when they arrive %s', async (order) => {
    at.service.github.data.app.hookUrl = null
    at.service.clock.advance(second)
    const payloads: object[] = []
    for (const path of ['src/early.ts', 'src/late.ts']) {
      const before = githubRepository(at.service, at.repository).branches.get('feat') ?? '0'.repeat(40)
      await at.service.github.push(at.repository, 'feat', {}, { changed: [file(path)], author: 'bob' })
      payloads.push(pushPayload('feat', { before }))
    }
    hookUp(at.service)
    for (const payload of order === 'reversed' ? payloads.reverse() : payloads)
      await deliver(at.service, 'push', payload)
    await at.observing.all()
    expect((await branchRow())?.head_sha).toBe(githubRepository(at.service, at.repository).branches.get('feat'))
    expect(await last()).toMatchObject({ paths: ['src/late.ts'] })
  })
})

describe('a branch that changes while it is read', () => {
  const during = (work: () => unknown) =>
    startObserving(at.service, { settings, app: meanwhile(appOf(at.service), '/compare/', work) })

  it('is read again after a push', async () => {
    await push()
    await during(() => push('feat', { changed: [file('src/moved.ts')] })).read()
    expect(await live()).toHaveLength(1)
    expect(await last()).toMatchObject({ paths: ['src/moved.ts'] })
  })

  it('has no record after its deletion', async () => {
    await push()
    await during(() => at.service.github.deleteBranch(at.repository, 'feat')).read()
    expect(await live()).toEqual([])
  })

  it('is its pull request where one is opened', async () => {
    await push()
    await during(() => open('feat')).read()
    expect((await live()).map(({ source }) => source)).toEqual(['pull_request'])
  })

  it('has one record whatever comes first: its reading, its pull request, its next push, or a caller', async () => {
    const names = Array.from({ length: 4 }, (_, n) => `feat-${n}`)
    const ids = []
    for (const name of names) ids.push((await observed(name)).id)
    for (const name of names) await push(name)
    const works = [
      at.observing.read(),
      ...names.map((name) => open(name, { files: [file()] })),
      ...names.map((name) => at.service.github.push(at.repository, name, {}, { author: 'bob' })),
      ...ids.map((id) => at.repository.patch(`/activity/${id}`, { title: 'Mine' })),
      ...names.map((branch) => record(at.repository, { branch })),
    ]
    await Promise.all(works)
    await at.observing.all()
    expect((await live()).map(({ id, source, title }) => ({ id, source, title }))).toEqual(
      ids.map((id) => ({ id, source: 'pull_request', title: 'Mine' })),
    )
  })

  it('is read once by two instances', async () => {
    await push()
    const asked = branchRequests()
    await Promise.all([at.observing.read(), startObserving(at.service, { settings }).read()])
    await at.observing.read()
    expect(asked()).toHaveLength(1)
    expect(await live()).toHaveLength(1)
  })
})

describe('GitHub that is unreachable', () => {
  it('does not end the record of a branch, and the push is read later', async () => {
    await observed()
    at.service.github.fail(faults.unicorn())
    at.service.clock.advance(hour)
    await push('feat', { changed: [file('src/c.ts')] })
    await at.observing.all()
    expect(await last()).toMatchObject({ ended_at: null, paths: ['src/a.ts'] })
    at.service.github.heal()
    at.service.clock.advance(61 * minute)
    await at.observing.all()
    expect(await last()).toMatchObject({ ended_at: null, paths: ['src/c.ts'] })
  })

  it('that hides the repository ends nothing', async () => {
    await observed()
    const hide = at.service.github.fail(
      { kind: 'reply', reply: { status: 404, body: { message: 'Not Found' } } },
      { path: new RegExp(`^/repos/${at.repository.owner}/${at.repository.name}(/compare.*)?$`) },
    )
    await push()
    await at.observing.read()
    expect(await last()).toMatchObject({ ended_at: null })
    hide()
  })
})
