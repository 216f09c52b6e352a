import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Activity } from '../../../src/service/db/generated/client.ts'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { observeByApp } from '../../../src/service/observed/observe-by-app.sql.ts'
import { changeObservedRepository } from '../../../src/service/observed/observed-repositories-store.ts'
import type { Settings } from '../../../src/service/records/settings/schema.ts'
import { day, hour, minute, second } from '../../support/clock.ts'
import { deliver as deliverTo, repositoryPayload } from '../../support/deliveries.ts'
import { faults } from '../../support/github/faults.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { githubRepository } from '../settings/settings.ts'
import { appOf, hookUp, meanwhile, record, recordRequests } from '../webhooks/recovery.ts'
import { countingObserver, saveSettingsAsRead, startObserving, startSyncing } from './observing.ts'

const settings = { observe: ['pull_requests', 'branches'] } satisfies Partial<Settings>

let service: TestService
let repository: TestRepository
let observing: ReturnType<typeof startObserving>
let owners = 0

beforeAll(async () => {
  service = await startTestService({ githubApp: true, observer: countingObserver(), settings })
  hookUp(service)
  observing = startObserving(service, { settings })
  await observing.all()
})
// The jobs are over all repositories, so those of former tests are left to nobody. Each repository begins as listed,
// and its settings as read.
beforeEach(async () => {
  service.github.data.installations.clear()
  await service.db.query('update observed_repositories set by_app = false')
  const owner = `owner-${++owners}`
  service.github.install(owner)
  repository = service.newRepository(owner)
  const { id, name } = repository
  const now = service.clock.now()
  await service.db.transaction((tx) => observeByApp(tx, [{ id, owner, name, defaultBranch: 'main' }], now))
  const listed = { listed_at: now, walked_at: now, completed_at: now, newest_updated_at: now, attributes_read_at: now }
  await changeObservedRepository(service.db, id, listed)
  await saveSettingsAsRead(service, repository)
})
afterAll(() => service.stop())

const file = (path = 'src/a.ts', lines: [number, number][] = [[3, 5]]) => ({ path, lines })

/** Pushes to a branch, by default by bob one commit that changes lines of src/a.ts. */
async function push(branch = 'feat', more: object = {}) {
  service.clock.advance(second)
  await service.github.push(repository, branch, {}, { changed: [file()], author: 'bob', ...more })
}

const open = (head: string, more: object = {}) => service.github.openPullRequest(repository, { head, ...more })

/** The records that the service made by itself in this repository, the oldest first. */
function records(): Promise<Activity[]> {
  return service.db.prisma.activity.findMany({
    where: { repository_id: repository.id, source: { not: 'recorded' } },
    orderBy: { id: 'asc' },
  })
}
const live = async () => (await records()).filter(({ ended_at }) => ended_at === null)
const last = async () => (await records()).at(-1) ?? expect.fail('no record')
const branchRow = (branch = 'feat') =>
  service.db.prisma.pushedBranch.findUnique({
    where: { repository_id_branch: { repository_id: repository.id, branch } },
  })
const commits = (count: number) => Array.from({ length: count }, () => ({}))

/** The requests about this repository that read branches: comparisons, and the repository itself. */
function branchRequests() {
  const asked = recordRequests(service)
  const own = `/repos/${repository.owner}/${repository.name}`
  return () => asked().filter((target) => target.startsWith(`${own}/compare/`) || target === own)
}

async function observed(branch = 'feat', more: object = {}) {
  await push(branch, more)
  await observing.all()
  return last()
}

describe('a pushed branch', () => {
  it('is work of who pushed it, with the changed files and lines, until 3 days after the push', async () => {
    const { id } = await observed('fix/login', { changed: [file(), file('src/b.ts', [[7, 8]])] })
    const pushedAt = service.clock.now().toISOString()
    const { body } = await repository.get(`/activity/${id}`)
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
      expires_at: new Date(service.clock.now().getTime() + 3 * day).toISOString(),
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
    expect((await repository.page('/activity?source=branch')).items.map((one) => one.id)).toEqual([id])
  })

  it('lives on with its next push, and keeps its beginning', async () => {
    const first = await observed()
    service.clock.advance(2 * day)
    await push('feat', { changed: [file('src/c.ts')], author: 'carla' })
    expect(await last()).toMatchObject({ id: first.id, expires_at: new Date(service.clock.now().getTime() + 3 * day) })
    await observing.all()
    expect(await last()).toMatchObject({
      id: first.id,
      actor: 'carla',
      paths: ['src/c.ts'],
      opened_at: first.opened_at,
      heartbeat_at: service.clock.now(),
    })
  })

  it('ends as expired without a push for 3 days, and a later push makes a new record', async () => {
    const first = await observed()
    service.clock.advance(3 * day)
    await sweep(service.db, { now: service.clock.now(), retentionMs: 30 * day })
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
    const { body } = await repository.get(`/activity/${id}`)
    expect(body).toMatchObject({
      summary: 'Pushed branch: 300 files or more',
      changes: { files_total: 300, files_compared: 300 },
    })
  })

  it('ends when it is deleted, and a push that arrives late does not revive it', async () => {
    await observed()
    const payload = pushPayload('feat')
    service.clock.advance(second)
    await service.github.deleteBranch(repository, 'feat')
    expect(await last()).toMatchObject({ archived_reason: 'branch_deleted', archived_at: service.clock.now() })
    service.clock.advance(minute)
    await deliver(service, 'push', payload)
    expect(await branchRow()).toMatchObject({ head_sha: null })
    await observing.all()
    expect(await live()).toEqual([])
    expect(await observed()).toMatchObject({ ended_at: null })
  })

  it('that was deleted before its push arrives is not observed', async () => {
    service.github.data.app.hookUrl = null
    await push()
    const payload = pushPayload('feat')
    hookUp(service)
    service.clock.advance(second)
    await service.github.deleteBranch(repository, 'feat')
    await deliver(service, 'push', payload)
    expect(await branchRow()).toMatchObject({ head_sha: null })
    await observing.all()
    expect(await records()).toEqual([])
  })

  it('does not go back to an earlier push that arrives late', async () => {
    await push('feat', { changed: [file('src/early.ts')] })
    const payload = pushPayload('feat')
    await push('feat', { changed: [file('src/late.ts')] })
    const { head_sha } = (await branchRow()) ?? expect.fail()
    await deliver(service, 'push', payload)
    expect(await branchRow()).toMatchObject({ head_sha })
    await observing.all()
    expect(await last()).toMatchObject({ paths: ['src/late.ts'] })
  })
})

describe('of two pushes in the same second', () => {
  it.each(['in order', 'reversed'])('the later one counts when they arrive %s', async (order) => {
    service.github.data.app.hookUrl = null
    service.clock.advance(second)
    const payloads: object[] = []
    for (const path of ['src/early.ts', 'src/late.ts']) {
      const before = githubRepository(service, repository).branches.get('feat') ?? '0'.repeat(40)
      await service.github.push(repository, 'feat', {}, { changed: [file(path)], author: 'bob' })
      payloads.push(pushPayload('feat', { before }))
    }
    hookUp(service)
    for (const payload of order === 'reversed' ? payloads.reverse() : payloads) await deliver(service, 'push', payload)
    await observing.all()
    expect((await branchRow())?.head_sha).toBe(githubRepository(service, repository).branches.get('feat'))
    expect(await last()).toMatchObject({ paths: ['src/late.ts'] })
  })
})

describe('branches that can not be compared', () => {
  it('do not stop the reading of pull requests, and are not requested for a minute after three failures', async () => {
    const path = `/repos/${repository.owner}/${repository.name}/compare/`
    const mend = service.github.fail({ kind: 'reply', reply: { status: 500, body: { message: 'x' } } }, { path })
    onTestFinished(mend)
    for (let n = 0; n < 20; n++) await push(`bad-${n}`)
    service.github.data.app.hookUrl = null
    for (const head of ['first', 'second']) await open(head)
    hookUp(service)
    service.clock.advance(2 * hour)
    const asked = branchRequests()
    await observing.all()
    const of = { repository_id: repository.id }
    expect(await service.db.prisma.pullRequest.count({ where: { ...of, files_head_sha: null } })).toBe(0)
    expect(await service.db.prisma.pullRequest.count({ where: of })).toBe(2)
    expect(asked().length).toBeLessThan(20)
    mend()
    service.clock.advance(minute)
    await observing.read()
    expect((await live()).filter(({ source }) => source === 'branch')).toHaveLength(20)
  })
})

/** Delivers an event to this instance, which has to handle it. */
async function deliver(to: Pick<TestService, 'url'>, event: string, payload: object) {
  const { status, body } = await deliverTo(to, event, payload, { secret: service.github.data.app.webhookSecret })
  expect([status, body]).toMatchObject([200, { outcome: 'handled' }])
}

/** The payload of the last push to a branch, as GitHub would send it again. */
function pushPayload(branch: string, more: object = {}) {
  const { branches, pushedAt } = githubRepository(service, repository)
  return {
    ref: `refs/heads/${branch}`,
    after: branches.get(branch),
    deleted: false,
    forced: false,
    commits: [],
    repository: repositoryPayload(repository, { pushed_at: Math.floor((pushedAt?.getTime() ?? 0) / 1000) }),
    installation: { id: 1 },
    sender: { id: 4711, login: 'bob' },
    ...more,
  }
}

describe('the cost of a push', () => {
  it('is one request, and none is made before the webhook is answered', async () => {
    const asked = branchRequests()
    await push()
    expect(asked()).toEqual([])
    await observing.all()
    expect(asked()).toHaveLength(1)
    const again = branchRequests()
    await push()
    await observing.all()
    expect(again()).toHaveLength(1)
    await observing.all()
    expect(again()).toHaveLength(1)
  })

  it('is one request for several pushes that nobody has read yet', async () => {
    await observed()
    const asked = branchRequests()
    for (let n = 0; n < 5; n++) await push('feat', { changed: [file(`src/${n}.ts`)] })
    await observing.all()
    expect(asked()).toHaveLength(1)
    expect(await last()).toMatchObject({ paths: ['src/4.ts'] })
  })

  it('is two requests where GitHub has no comparison, as without a common history, and then it ends', async () => {
    await observed()
    const asked = branchRequests()
    const notFound = { kind: 'reply', reply: { status: 404, body: { message: 'Not Found' } } } as const
    const mend = service.github.fail(notFound, { path: `/repos/${repository.owner}/${repository.name}/compare/` })
    await push()
    await observing.all()
    await observing.all()
    mend()
    expect(asked()).toHaveLength(2)
    expect(await last()).toMatchObject({ archived_reason: 'closed' })
  })

  it('is nothing for the head of an open pull request but that of the pull request', async () => {
    await open('feat')
    await observing.all()
    const asked = branchRequests()
    await push()
    await observing.all()
    expect(asked()).toEqual([])
  })

  it('is nothing after 3 days without a reading', async () => {
    await push()
    service.clock.advance(3 * day)
    const asked = branchRequests()
    await observing.all()
    expect(asked().filter((target) => target.includes('/compare/'))).toEqual([])
    expect(await records()).toEqual([])
  })
})

describe('not observed is', () => {
  const none = async () => {
    await observing.all()
    expect((await live()).filter(({ source }) => source === 'branch')).toEqual([])
  }

  it('the default branch, a branch of a merge queue, a tag, and one that has nothing that the default branch lacks', async () => {
    await push('main')
    await push('gh-readonly-queue/main/pr-1')
    await deliver(service, 'push', pushPayload('main', { ref: 'refs/tags/v1' }))
    expect(await service.db.prisma.pushedBranch.count({ where: { repository_id: repository.id } })).toBe(0)
    await push('feat', { commits: [] })
    expect(await branchRow()).not.toBeNull()
    await none()
  })

  it('one more than 50 commits ahead; one that is 50 ahead is', async () => {
    await push('feat', { commits: commits(51) })
    await none()
    expect(await observed('feat', { commits: commits(50), forced: true })).toMatchObject({ source: 'branch' })
    expect((await branchRow())?.commits).toHaveLength(50)
    await push('feat')
    await none()
    expect(await last()).toMatchObject({ archived_reason: 'closed' })
  })

  it('the base of an open pull request, unless the author of that one pushed it', async () => {
    await open('topic', { base: 'develop', author: 'alice' })
    await push('develop')
    await none()
    expect(await observed('develop', { author: 'alice' })).toMatchObject({ branch: 'develop', ended_at: null })
  })

  it('a branch from the time on at which a pull request of somebody else is based on it', async () => {
    await observed('develop')
    await open('topic', { base: 'develop', author: 'alice' })
    await none()
  })

  it('one with the head of an open pull request, whenever that is opened', async () => {
    const sha = 'c'.repeat(40)
    await push('copy', { commits: [{ sha }] })
    await observing.all()
    expect(await last()).toMatchObject({ branch: 'copy', ended_at: null })
    await open('feat', { commits: [{ sha }] })
    await none()
    await push('other', { commits: [{ sha }] })
    await none()
  })

  it('anything without the App', async () => {
    await push('feat')
    const { installation: _, ...payload } = pushPayload('feat')
    await deliver(service, 'push', { ...payload, ref: 'refs/heads/by-hand' })
    expect(await branchRow('by-hand')).toBeNull()
    const without = await startTestService({ sharedWith: service, githubApp: true, settings })
    await deliver(without, 'push', { ...pushPayload('feat'), ref: 'refs/heads/no-app' })
    await without.stop()
    expect(await branchRow('no-app')).toBeNull()
  })

  it('anything in a repository that the App did not list yet', async () => {
    await service.db.query('delete from observed_repositories where repository_id = $1', [repository.id])
    await push()
    const asked = branchRequests()
    await observing.read()
    expect(asked()).toEqual([])
    expect(await records()).toEqual([])
  })
})

describe('what merges a branch without a pull request', () => {
  const sha = 'e'.repeat(40)

  it('is a push to the default branch that brings its head, and it costs no request', async () => {
    const kept = await observed('other')
    await observed('feat', { commits: [{ sha }] })
    await push('unread', { commits: [{}, { sha: 'f'.repeat(40) }] })
    const asked = branchRequests()
    await push('main', { commits: [{ sha }, { sha: 'f'.repeat(40) }, {}] })
    expect((await live()).map(({ id }) => id)).toEqual([kept.id])
    await observing.read()
    expect(asked()).toEqual([])
    expect((await records()).map(({ archived_reason }) => archived_reason)).toEqual([null, 'closed'])
  })

  it('shows with the next push of a branch that was merged by squash: nothing is left that differs', async () => {
    await observed('feat')
    await push('main', { changed: [file()] })
    await observed('feat', { commits: [{}, {}], changed: [] })
    expect(await live()).toEqual([])
    expect(await last()).toMatchObject({ archived_reason: 'closed' })
    expect(await observed('feat', { changed: [file('src/next.ts')] })).toMatchObject({ ended_at: null })
  })

  it('is no push to another branch', async () => {
    const { id } = await observed('feat', { commits: [{ sha }] })
    await push('above', { commits: [{ sha }, {}] })
    expect((await live()).map((one) => one.id)).toEqual([id])
  })
})

describe('a branch whose deletion was not delivered', () => {
  const pass = (app = appOf(service)) => startSyncing(service, { settings, app }).pass()
  async function deleteSilently(branch: string) {
    service.github.data.app.hookUrl = null
    await service.github.deleteBranch(repository, branch)
    hookUp(service)
  }

  it('ends with the next reconciliation, and its push that arrives again does not revive it', async () => {
    const kept = await observed('other')
    await observed('feat')
    const payload = pushPayload('feat')
    await pass()
    service.clock.advance(hour)
    await deleteSilently('feat')
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
    expect((await live()).map(({ id }) => id)).toEqual([kept.id])
    expect(await last()).toMatchObject({ archived_reason: 'branch_deleted' })
    await deliver(service, 'push', payload)
    await observing.all()
    expect((await live()).map(({ id }) => id)).toEqual([kept.id])
    expect(await observed('feat')).toMatchObject({ ended_at: null })
  })

  it('ends where it was deleted before the first reconciliation', async () => {
    await observed('feat')
    service.clock.advance(hour)
    await deleteSilently('feat')
    await pass()
    expect(await live()).toEqual([])
  })

  it('lives on where it was pushed while GitHub listed the branches', async () => {
    const { id } = await observed('feat')
    service.clock.advance(hour)
    await deleteSilently('feat')
    await pass(meanwhile(appOf(service), '/git/matching-refs/', () => push('feat')))
    expect((await live()).map((one) => one.id)).toEqual([id])
  })

  it('lives on as its pull request, which decides', async () => {
    const { id } = await observed('feat')
    await open('feat')
    service.clock.advance(hour)
    await pass()
    expect((await live()).map((one) => one.id)).toEqual([id])
  })
})

describe('an answer', () => {
  let asked: TestService
  beforeAll(async () => {
    asked = await startTestService({ sharedWith: service, githubApp: true, settings, callers: {} })
  })
  afterAll(() => asked.stop())

  /** What a check says is not read. The list and the colliding pairs say the same. */
  async function observedState(from = asked) {
    const through = from.as(repository)
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
    const mend = service.github.fail(faults.unicorn(), {
      path: `/repos/${repository.owner}/${repository.name}/compare/`,
    })
    await observing.all()
    mend()
    await open('other')
    expect((await observedState()).state).toMatchObject({ unread: 2, unread_branches: 1 })
    service.clock.advance(minute)
    await observing.all()
    const { state } = await observedState()
    expect(state).toMatchObject(nothingUnread)
    expect(state).not.toHaveProperty('unread_branches')
  })

  it('says "go ahead" to nobody else while GitHub does not list all files of a branch', async () => {
    const changed = Array.from({ length: 310 }, (_, n) => file(`src/${n}.ts`))
    await observed('feat', { changed })
    const check = (branch: string) =>
      asked.as(repository).check({ branch, base_branch: 'main', changes: { files: [file('src/309.ts')] } })
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
    await service.github.deleteBranch(repository, 'feat')
    expect((await check('other')).recommended_action).toBe('Go ahead.')
  })

  it('counts no branch that is not to be read: of an open pull request, deleted, put aside, or too old', async () => {
    await open('feat')
    await observing.all()
    service.clock.advance(second)
    // The event of the pull request comes later.
    const pushed_at = Math.floor(service.clock.now().getTime() / 1000)
    const after = 'b'.repeat(40)
    await deliver(
      service,
      'push',
      pushPayload('feat', { after, repository: repositoryPayload(repository, { pushed_at }) }),
    )
    expect(await branchRow()).toMatchObject({ head_sha: after, files_head_sha: null })
    expect((await observedState()).state).toMatchObject({ unread: 0 })
    await push('gone')
    await service.github.deleteBranch(repository, 'gone')
    const { id } = await observed('aside')
    await repository.post(`/activity/${id}/archive`)
    await push('old')
    service.clock.advance(3 * day)
    expect((await observedState()).state).toMatchObject({ unread: 0 })
  })

  it('counts none where the settings do not observe branches any more', async () => {
    await push()
    const without = await startTestService({ sharedWith: service, githubApp: true, callers: {} })
    expect((await observedState(without)).state).toMatchObject({ unread: 0 })
    await without.stop()
  })
})

describe('the settings', () => {
  it('end the records when branches are turned off, with the next list, and pull requests stay', async () => {
    await observed()
    await open('other')
    service.clock.advance(61 * minute)
    await startObserving(service, { settings: { observe: ['pull_requests'] } }).all()
    expect((await live()).map(({ source }) => source)).toEqual(['pull_request'])
    expect((await records())[0]).toMatchObject({ source: 'branch', archived_reason: 'closed' })
    expect(await branchRow()).toBeNull()
  })

  it('end a branch that is ignored from now on', async () => {
    await observed('sync/a')
    await observed('feat')
    service.clock.advance(61 * minute)
    await startObserving(service, { settings: { ...settings, ignored_branches: ['sync/**'] } }).all()
    expect((await live()).map(({ branch }) => branch)).toEqual(['feat'])
  })

  describe('that nobody read yet', () => {
    beforeEach(async () => {
      await service.db.prisma.repositorySettings.delete({ where: { repository_id: repository.id } })
      const other = await startTestService({ sharedWith: service, githubApp: true, observer: countingObserver() })
      hookUp(other)
      return async () => {
        hookUp(service)
        await other.stop()
      }
    })

    it('lose no push: the job that reads the branch decides', async () => {
      await push('kept')
      await push('ignored')
      const asked = branchRequests()
      await startObserving(service, { settings: { ...settings, ignored_branches: ['ignored'] } }).all()
      expect((await live()).map(({ branch }) => branch)).toEqual(['kept'])
      expect(asked()).toHaveLength(1)
    })

    it('keep no branch once it is known that branches are not observed', async () => {
      await push()
      expect(await branchRow()).not.toBeNull()
      service.clock.advance(61 * minute)
      await startObserving(service).all()
      expect(await branchRow()).toBeNull()
      expect(await records()).toEqual([])
    })

    it('lose no deletion, and no merge into the default branch', async () => {
      await push('deleted')
      await service.github.deleteBranch(repository, 'deleted')
      await push('merged')
      const head = (await branchRow('merged'))?.head_sha
      await deliver(service, 'push', pushPayload('main', { commits: [{ id: head }] }))
      const asked = branchRequests()
      await observing.all()
      expect(await records()).toEqual([])
      expect(asked()).toEqual([])
    })
  })

  it('observe no branch by default, nor without pull requests', async () => {
    for (const observe of [['pull_requests'], ['branches'], []] as const) {
      const other = await startTestService({
        ...{ sharedWith: service, githubApp: true, observer: countingObserver() },
        settings: { observe: [...observe] },
      })
      await deliver(other, 'push', pushPayload('main', { ref: 'refs/heads/feat' }))
      await other.stop()
    }
    expect(await branchRow()).toBeNull()
  })

  it('end what is observed when everything is turned off', async () => {
    await observed()
    service.clock.advance(61 * minute)
    await startObserving(service, { settings: { ...settings, enabled: false } }).all()
    expect(await last()).toMatchObject({ archived_reason: 'closed' })
  })
})

describe('a branch that changes while it is read', () => {
  const during = (work: () => unknown) =>
    startObserving(service, { settings, app: meanwhile(appOf(service), '/compare/', work) })

  it('is read again after a push', async () => {
    await push()
    await during(() => push('feat', { changed: [file('src/moved.ts')] })).read()
    expect(await live()).toHaveLength(1)
    expect(await last()).toMatchObject({ paths: ['src/moved.ts'] })
  })

  it('has no record after its deletion', async () => {
    await push()
    await during(() => service.github.deleteBranch(repository, 'feat')).read()
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
      observing.read(),
      ...names.map((name) => open(name, { files: [file()] })),
      ...names.map((name) => service.github.push(repository, name, {}, { author: 'bob' })),
      ...ids.map((id) => repository.patch(`/activity/${id}`, { title: 'Mine' })),
      ...names.map((branch) => record(repository, { branch })),
    ]
    await Promise.all(works)
    await observing.all()
    expect((await live()).map(({ id, source, title }) => ({ id, source, title }))).toEqual(
      ids.map((id) => ({ id, source: 'pull_request', title: 'Mine' })),
    )
  })

  it('is read once by two instances', async () => {
    await push()
    const asked = branchRequests()
    await Promise.all([observing.read(), startObserving(service, { settings }).read()])
    await observing.read()
    expect(asked()).toHaveLength(1)
    expect(await live()).toHaveLength(1)
  })
})

describe('the pull request of a branch', () => {
  it('takes over its record, with what somebody has set', async () => {
    const { id } = await observed()
    await repository.patch(`/activity/${id}`, { title: 'My title', blocking: true })
    service.clock.advance(hour)
    await open('feat', { title: 'Rework the login', author: 'bob' })
    const [row, ...others] = await live()
    expect(others).toEqual([])
    expect(row).toMatchObject({
      id,
      source: 'pull_request',
      title: 'My title',
      blocking: true,
      summary: 'Pull request #1',
      status: 'ready-for-review',
      pr_number: 1,
      pr_url: expect.stringContaining('/pull/1'),
      has_changes: true,
    })
    await observing.all()
    expect(await live()).toHaveLength(1)
    expect(await last()).toMatchObject({ id, summary: 'Pull request #1: 1 file', paths: ['src/a.ts'] })
    expect(await branchRow()).toMatchObject({ activity_id: null })
  })

  it('takes over when it is found by a list', async () => {
    const { id } = await observed()
    service.github.data.app.hookUrl = null
    service.clock.advance(61 * minute)
    await open('feat')
    hookUp(service)
    await observing.all()
    expect((await live()).map((one) => [one.id, one.source])).toEqual([[id, 'pull_request']])
  })

  it('does not expire as the branch would', async () => {
    const { id } = await observed()
    await open('feat')
    for (let n = 0; n < 5; n++) {
      service.clock.advance(day)
      await observing.all()
      await sweep(service.db, { now: service.clock.now(), retentionMs: 30 * day })
    }
    expect(await last()).toMatchObject({ id, ended_at: null })
  })

  it('that is closed leaves no branch until its next push', async () => {
    const first = await observed()
    await open('feat')
    await observing.all()
    service.clock.advance(minute)
    await service.github.closePullRequest(repository, 1)
    await observing.all()
    expect(await live()).toEqual([])
    const next = await observed()
    expect(next).toMatchObject({ source: 'branch' })
    expect(next.id).not.toBe(first.id)
  })

  it('of a fork with a branch of the same name takes nothing', async () => {
    const { id } = await observed()
    await open('feat', { from: service.newRepository('bob'), author: 'bob' })
    expect((await live()).map(({ source }) => source)).toEqual(['branch', 'pull_request'])
    expect((await live())[0]).toMatchObject({ id })
  })
})

describe('GitHub that is unreachable', () => {
  it('does not end the record of a branch, and the push is read later', async () => {
    await observed()
    service.github.fail(faults.unicorn())
    service.clock.advance(hour)
    await push('feat', { changed: [file('src/c.ts')] })
    await observing.all()
    expect(await last()).toMatchObject({ ended_at: null, paths: ['src/a.ts'] })
    service.github.heal()
    service.clock.advance(61 * minute)
    await observing.all()
    expect(await last()).toMatchObject({ ended_at: null, paths: ['src/c.ts'] })
  })

  it('that hides the repository ends nothing', async () => {
    await observed()
    const hide = service.github.fail(
      { kind: 'reply', reply: { status: 404, body: { message: 'Not Found' } } },
      { path: new RegExp(`^/repos/${repository.owner}/${repository.name}(/compare.*)?$`) },
    )
    await push()
    await observing.read()
    expect(await last()).toMatchObject({ ended_at: null })
    hide()
  })
})

describe('recorded work on the branch', () => {
  it('covers the record of the branch as long as it lives, with its changes', async () => {
    const { id } = await observed()
    const own = await record(repository, { branch: 'feat', pr_url: 'https://github.com/other/repo/pull/5' })
    const shown = async () => (await repository.page('/activity')).items.map((one) => one.id)
    expect(await shown()).toEqual([own])
    expect((await repository.get(`/activity/${id}`)).body).toMatchObject({ covered_by: own })
    expect((await repository.get(`/activity/${own}`)).body).toMatchObject({
      changes: { by: 'github', files: [{ path: 'src/a.ts', lines: [[3, 5]] }] },
    })
    expect(await repository.check({ branch: 'x', changes: { files: [file()] } })).toMatchObject({
      related_activity_ids: [own],
    })
    await repository.post(`/activity/${own}/archive`)
    expect(await shown()).toEqual([id])
    expect(await repository.check({ branch: 'x', changes: { files: [file()] } })).toMatchObject({
      related_activity_ids: [id],
    })
  })
})

describe('a caller', () => {
  it('puts a branch aside by archiving it, until its next push', async () => {
    const { id } = await observed()
    await repository.post(`/activity/${id}/archive`)
    await observing.all()
    expect(await live()).toEqual([])
    const next = await observed()
    expect(next.id).not.toBe(id)
    await repository.patch(`/activity/${next.id}`, { status: 'abandoned' })
    await observing.all()
    expect(await live()).toEqual([])
  })

  it('changes its words and its scope, but not what follows GitHub', async () => {
    const { id } = await observed()
    const fields = { title: 'Mine', summary: 'Is it.', risk: 'high', scope: { areas: ['auth'], paths: [] } }
    expect((await repository.patch(`/activity/${id}`, fields)).body).toMatchObject(fields)
    await observed('feat', { changed: [file('src/z.ts')] })
    expect(await last()).toMatchObject({ id, title: 'Mine', summary: 'Is it.', paths: [], areas: ['auth'] })
    for (const change of [{ branch: 'other' }, { base_branch: 'x' }, { status: 'paused' }]) {
      const { status, body } = await repository.patch(`/activity/${id}`, change)
      expect([status, body]).toMatchObject([409, { error: { code: 'observed' } }])
    }
  })

  it('extends it by a heartbeat, and never brings its end nearer', async () => {
    const { id, expires_at } = await observed()
    await repository.post(`/activity/${id}/heartbeat`)
    expect(await last()).toMatchObject({ expires_at })
    service.clock.advance(3 * day - hour)
    await repository.post(`/activity/${id}/heartbeat`)
    expect((await last()).expires_at.getTime()).toBe(service.clock.now().getTime() + day)
    service.clock.advance(day)
    expect((await repository.post(`/activity/${id}/heartbeat`)).status).toBe(200)
    expect(await last()).toMatchObject({ archived_reason: 'expired' })
  })
})

describe('what a check says of a pushed branch', () => {
  it('is who changes which lines on which branch', async () => {
    const { id } = await observed('fix/login')
    const overlap = await repository.check({ branch: 'x', base_branch: 'main', changes: { files: [file()] } })
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
    const overlap = await repository.check({ branch: 'feat', changes: { files: [file()] } })
    expect(overlap).toMatchObject({ overlap_detected: false, expected_activity_ids: [id] })
    expect(overlap.recommended_action).toContain(`Your work is seen already as a pushed branch.`)
    expect(overlap.recommended_action).not.toContain('update it')
  })

  it('is that a branch on top of it is stacked, by its commits', async () => {
    const below = 'd'.repeat(40)
    const { id } = await observed('below', { commits: [{ sha: below }] })
    await push('above', { commits: [{ sha: below }, {}] })
    await observing.all()
    const above = await last()
    const { body } = await repository.get('/collisions')
    expect(body).toMatchObject({ items: [] })
    expect(await repository.check({ activity_id: above.id })).toMatchObject({ expected_activity_ids: [id] })
  })

  it('is a pair of colliding work with a pull request', async () => {
    const { id } = await observed('feat')
    await open('other', { files: [file()], author: 'carla' })
    await observing.all()
    const { body } = await repository.get('/collisions')
    expect(body).toMatchObject({ items: [{ activity_ids: [(await last()).id, id], severity: 'high' }] })
  })
})

it('a pushed branch has no check run, and no check run of a pull request names it', async () => {
  await observed('feat')
  await open('other', { files: [file()], author: 'carla' })
  const shadow = startObserving(service, { settings, shadow: true })
  await shadow.all()
  await shadow.report()
  const reports = await service.db.prisma.pullRequestReport.findMany({ where: { repository_id: repository.id } })
  expect(reports).toMatchObject([{ number: 1, title: 'No overlap with work in flight' }])
})
