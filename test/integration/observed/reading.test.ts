import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { day, hour, minute, second } from '../../support/clock.ts'
import { repositoryOf } from '../../support/github/data.ts'
import { faults } from '../../support/github/faults.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { appOf, meanwhile, record, recordRequests } from '../webhooks/recovery.ts'
import { observedIn, pullRequestRow, startObserving, stateOf, unreadIn } from './observing.ts'

let service: TestService
let repository: TestRepository
let observing: ReturnType<typeof startObserving>

// One each: the jobs are over all repositories. Nothing is delivered: the stand-in is told of no hook.
beforeEach(async () => {
  await service?.stop()
  service = await startTestService({ githubApp: true })
  service.github.install('acme')
  repository = service.newRepository()
  observing = startObserving(service)
})
afterAll(() => service.stop())

const open = (head: string, more: object = {}) =>
  service.github.openPullRequest(repository, { head, files: [{ path: `src/${head}.ts`, lines: [[3, 5]] }], ...more })

async function openMany(count: number, paths = 1) {
  for (let n = 0; n < count; n++) {
    service.clock.advance(second)
    await open(`feat-${n}`, {
      files: Array.from({ length: paths }, (_, index) => ({ path: `src/feat-${n}/${index}.ts`, lines: [[1, 2]] })),
    })
  }
}

const records = () => observedIn(service, repository)
const inStandIn = () => repositoryOf(service.github.data, Number(repository.id))
const record1 = async () => (await records())[0] ?? expect.fail('no record')
const pulls = (requests: readonly string[]) => requests.filter((target) => target.includes('/pulls'))

async function filesOf(activityId: string) {
  const saved = await service.db.prisma.changedFiles.findMany({
    where: { repository_id: repository.id, activity_id: activityId },
  })
  return saved.flatMap(({ files }) => files)
}

describe('a backfill', () => {
  it('of 120 pull requests costs at most 270 requests, and inserts the oldest first', async () => {
    await openMany(120)
    const asked = recordRequests(service)
    await observing.all()
    expect(asked().length).toBeLessThanOrEqual(270)
    const observed = await records()
    expect(observed.map(({ pr_number }) => pr_number)).toEqual(Array.from({ length: 120 }, (_, n) => n + 1))
    expect(observed.every(({ has_changes }) => has_changes)).toBe(true)
    expect(await unreadIn(service, repository)).toBe(0)
    expect(await stateOf(service, repository)).toMatchObject({ by_app: true, completed_at: service.clock.now() })
  }, 300_000)

  it('costs one request each hour afterwards, and two for a push', async () => {
    await openMany(10)
    await observing.all()
    service.clock.advance(61 * minute)
    let asked = recordRequests(service)
    await observing.all()
    expect(pulls(asked())).toHaveLength(1)
    expect(await stateOf(service, repository)).toMatchObject({ completed_at: service.clock.now() })
    await service.github.push(repository, 'feat-3', { 'src/feat-3.ts': 'new\n' })
    service.clock.advance(61 * minute)
    asked = recordRequests(service)
    await observing.all()
    expect(pulls(asked())).toHaveLength(3)
    expect(await unreadIn(service, repository)).toBe(0)
  })

  it('is complete too where the last files were read with the token of a caller', async () => {
    await open('feat-1')
    await observing.list()
    await service.db.query('update pull_requests set files_head_sha = head_sha where repository_id = $1', [
      repository.id,
    ])
    await observing.read()
    expect(await stateOf(service, repository)).toMatchObject({ completed_at: service.clock.now() })
  })

  it('is made once by two instances', async () => {
    await openMany(30)
    const other = startObserving(service, { app: appOf(service) })
    const asked = recordRequests(service)
    await Promise.all([observing.all(), other.all()])
    await observing.all()
    expect(asked().filter((target) => target.includes('/files'))).toHaveLength(30)
    expect(asked().filter((target) => target.includes('/pulls?'))).toHaveLength(2)
    expect(await records()).toHaveLength(30)
    expect(await unreadIn(service, repository)).toBe(0)
  })

  it('that is killed is finished by the next instance', async () => {
    await openMany(12)
    const stop = new AbortController()
    const app = appOf(service)
    let calls = 0
    const dying = startObserving(service, {
      signal: stop.signal,
      app: {
        ...app,
        requestForRepository(...given) {
          if (++calls < 9) return app.requestForRepository(...given)
          stop.abort()
          return new Promise<never>(() => {})
        },
      },
    })
    void dying.all().catch(() => {})
    await expect.poll(() => calls, { timeout: 30_000 }).toBeGreaterThanOrEqual(9)
    expect(await unreadIn(service, repository)).toBeGreaterThan(0)
    // Its leases run out. What it was doing may still renew one of them.
    const takeOver = async () => {
      await service.db.query(`update leases set expires_at = expires_at - interval '1 minute'`)
      await observing.all()
      return unreadIn(service, repository)
    }
    await expect.poll(takeOver).toBe(0)
    expect(await records()).toHaveLength(12)
  })
})

describe('a pull request that changes while it is read', () => {
  it('is read again where its head moves between the two requests', async () => {
    await open('feat')
    await observing.list()
    const push = () =>
      service.github.push(repository, 'feat', {}, { changed: [{ path: 'src/moved.ts', lines: [[7, 9]] }] })
    const app = meanwhile(appOf(service), '/files', async () => {
      service.clock.advance(second)
      await push()
    })
    await startObserving(service, { app }).read()
    const { head_sha, files_head_sha } = (await pullRequestRow(service, repository, 1)) ?? expect.fail()
    expect(files_head_sha).toBe(head_sha)
    expect(await record1()).toMatchObject({ paths: ['src/moved.ts'] })
  })

  it('ends where it is merged meanwhile, and recorded work on its branch with it', async () => {
    const id = await record(repository, { branch: 'feat' })
    await open('feat')
    await observing.list()
    await service.github.mergePullRequest(repository, 1)
    service.github.fail(
      faults.runBefore(() => {}),
      { path: /\/files/ },
    )
    service.github.fail(
      { kind: 'reply', reply: { status: 404, body: { message: 'Not Found' } } },
      { path: /\/pulls\/1\/files/ },
    )
    await observing.read()
    expect(await record1()).toMatchObject({ archived_reason: 'merged' })
    const { body } = await repository.get(`/activity/${id}`)
    expect(body).toMatchObject({ archived_reason: 'merged' })
  })

  it('ends as closed where GitHub has none of this number, but not where the repository is hidden', async () => {
    await open('feat')
    await observing.all()
    inStandIn().pulls = []
    const hide = service.github.fail(
      { kind: 'reply', reply: { status: 404, body: { message: 'Not Found' } } },
      { path: new RegExp(`^/repos/acme/${repository.name}$`) },
    )
    service.clock.advance(25 * hour)
    await observing.list()
    expect(await record1()).toMatchObject({ ended_at: null })
    hide()
    service.clock.advance(hour)
    await observing.list()
    expect(await record1()).toMatchObject({ archived_reason: 'closed' })
  })

  it('and closes between two pages hides no other', async () => {
    await openMany(101)
    service.clock.advance(hour)
    const list = `/repos/acme/${repository.name}/pulls?`
    const close = () => service.github.closePullRequest(repository, 1)
    service.github.fail(faults.runAfter(close), { path: list, times: 1 })
    const patient = startObserving(service, { app: appOf(service, minute) })
    expect(await patient.list()).toMatchObject({ failed: 0 })
    const live = (await records()).filter(({ ended_at }) => ended_at === null)
    expect(live.map(({ pr_number }) => pr_number)).toEqual(Array.from({ length: 100 }, (_, n) => n + 2))
  }, 300_000)
})

describe('what is found later', () => {
  it('is a merge, which archives recorded work too', async () => {
    const id = await record(repository, { branch: 'feat' })
    await open('feat')
    await observing.all()
    service.clock.advance(hour)
    await service.github.mergePullRequest(repository, 1)
    service.clock.advance(minute)
    expect(await observing.list()).toMatchObject({ ended: 1, merged: 1 })
    expect(await record1()).toMatchObject({ archived_reason: 'merged' })
    const { body } = await repository.get(`/activity/${id}`)
    expect(body).toMatchObject({ archived_reason: 'merged' })
  })

  it('is a new base branch, without an event and without an update', async () => {
    await open('feat')
    await observing.all()
    const [pull] = inStandIn().pulls
    Object.assign(pull ?? {}, { base: 'release' })
    service.clock.advance(25 * hour)
    await observing.list()
    expect(await record1()).toMatchObject({ base_branch: 'release' })
  })

  it('extends what is open, and so what is open does not expire', async () => {
    await open('feat')
    await observing.all()
    for (let n = 0; n < 5; n++) {
      service.clock.advance(20 * hour)
      await observing.all()
    }
    expect(await records()).toHaveLength(1)
    expect((await record1()).expires_at.getTime()).toBeGreaterThan(service.clock.now().getTime() + day)
  })

  it('does not expire while GitHub is unreachable', async () => {
    await open('feat')
    await observing.all()
    service.github.fail(faults.unicorn())
    for (let n = 0; n < 12; n++) {
      service.clock.advance(10 * hour)
      await observing.all()
    }
    expect(await record1()).toMatchObject({ ended_at: null })
    expect(await stateOf(service, repository)).toMatchObject({ failed_at: service.clock.now() })
    service.github.heal()
    service.clock.advance(hour)
    await observing.all()
    expect(await records()).toHaveLength(1)
    expect(await stateOf(service, repository)).toMatchObject({ failed_at: null, completed_at: service.clock.now() })
  })

  it('is nothing in an empty list: GitHub decides about each pull request by itself', async () => {
    await openMany(3)
    await observing.all()
    service.clock.advance(25 * hour)
    service.github.fail(
      { kind: 'reply', reply: { status: 200, body: [] } },
      { path: `/repos/acme/${repository.name}/pulls?` },
    )
    const asked = recordRequests(service)
    await observing.all()
    expect(asked().filter((target) => /\/pulls\/\d+$/.test(target))).toHaveLength(3)
    expect((await records()).every(({ ended_at }) => ended_at === null)).toBe(true)
  })
})

describe('the files of a pull request', () => {
  it('are binary, renamed, removed and copied ones, with the blobs of those that are there', async () => {
    const blobs: [string, string, string] = ['a'.repeat(40), 'b'.repeat(40), 'c'.repeat(64)]
    await open('feat', {
      files: [
        { path: 'logo.png', sha: blobs[0] },
        { path: 'src/new.ts', previousPath: 'src/old.ts', lines: [[4, 4]], sha: blobs[1] },
        { path: 'src/gone.ts', status: 'removed', lines: [[1, 9]] },
        { path: 'src/large.ts', additions: 90_000, deletions: 5, sha: blobs[2] },
      ],
    })
    await observing.all()
    const { id, summary } = await record1()
    expect(summary).toBe('Pull request #1: 4 files')
    expect(await filesOf(id)).toEqual([
      { path: 'logo.png', previous_path: null, status: 'modified', lines: null, blob: blobs[0] },
      { path: 'src/gone.ts', previous_path: null, status: 'removed', lines: [[1, 9]], blob: null },
      { path: 'src/large.ts', previous_path: null, status: 'modified', lines: null, blob: blobs[2] },
      { path: 'src/new.ts', previous_path: 'src/old.ts', status: 'renamed', lines: [[4, 4]], blob: blobs[1] },
    ])
  })

  it('are up to 3,000, a hundred a page', async () => {
    await openMany(1, 3_000)
    const asked = recordRequests(service)
    await observing.all()
    expect(asked().filter((target) => target.includes('/files'))).toHaveLength(30)
    const { id, summary, paths } = await record1()
    expect(summary).toBe('Pull request #1: 3,000 files')
    expect(paths.length).toBeLessThanOrEqual(100)
    expect(await filesOf(id)).toHaveLength(3_000)
  })

  it('are read where there are more commits than GitHub lists', async () => {
    await open('feat', { commits: Array.from({ length: 260 }, () => ({})) })
    await observing.all()
    expect(await unreadIn(service, repository)).toBe(0)
    expect((await pullRequestRow(service, repository, 1))?.commits).toHaveLength(250)
  })

  it('also belong to a deleted fork', async () => {
    const fork = service.newRepository('bob')
    await open('feat', { from: fork, author: 'bob' })
    await service.github.deleteFork(fork, { keepsOpen: true })
    await observing.all()
    expect(await record1()).toMatchObject({ branch: 'bob:feat', actor: 'bob', has_changes: true })
    expect(await pullRequestRow(service, repository, 1)).toMatchObject({ head_repository_id: null })
  })
})

describe('a reading that fails', () => {
  const failFiles = () => service.github.fail(faults.unicorn(), { path: /\/pulls\/1\/files/ })

  it('is tried again after a minute, then after two, and stops no other', async () => {
    await openMany(3)
    await observing.list()
    failFiles()
    expect(await observing.read()).toMatchObject({ read: 2, failed: 1 })
    const waits: number[] = []
    for (let n = 0; n < 8; n++) {
      const { read_after } = (await pullRequestRow(service, repository, 1)) ?? expect.fail()
      waits.push((read_after.getTime() - service.clock.now().getTime()) / minute)
      service.clock.advance(read_after.getTime() - service.clock.now().getTime() - 1)
      expect(await observing.read()).toMatchObject({ failed: 0 })
      service.clock.advance(1)
      expect(await observing.read()).toMatchObject({ failed: 1 })
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
    service.github.heal()
    service.clock.advance(hour)
    expect(await observing.read()).toMatchObject({ read: 1 })
    expect(await pullRequestRow(service, repository, 1)).toMatchObject({ read_attempts: 0 })
  })

  it('sends no request for a minute after three failures in a row', async () => {
    await openMany(12)
    await observing.list()
    service.github.fail(faults.unicorn(), { path: /\/pulls\/\d+\/files/ })
    const asked = recordRequests(service)
    expect(await observing.read()).toMatchObject({ read: 0, paused: 1 })
    expect(asked().length).toBeLessThan(12)
    expect(await observing.read()).toMatchObject({ failed: 0 })
    service.github.heal()
    service.clock.advance(2 * minute)
    await observing.read()
    expect(await unreadIn(service, repository)).toBe(0)
  })
})

describe('the rate limit', () => {
  const tokens = () => [...service.github.data.tokens.values()].filter(({ installationId }) => installationId !== null)
  const leave = (part: number) => {
    for (const { limit } of tokens()) limit.used = Math.floor(limit.limit * (1 - part))
  }

  it('is not used by a backfill below 20 %, until it is reset', async () => {
    await openMany(20)
    await observing.list()
    leave(0.201)
    const asked = recordRequests(service)
    expect(await observing.read()).toMatchObject({ paused: 1 })
    expect(asked().length).toBeLessThan(20)
    const before = asked().length
    await observing.read()
    expect(asked().length).toBe(before)
    service.clock.advance(61 * minute)
    await observing.read()
    expect(await unreadIn(service, repository)).toBe(0)
  })

  it('is used by readings for webhooks until it is spent', async () => {
    await openMany(6)
    await observing.list()
    leave(0.15)
    await service.db.query('update pull_requests set marked_by_webhook = true where number = 6')
    expect(await observing.read()).toMatchObject({ paused: 1 })
    expect(await unreadIn(service, repository)).toBeGreaterThanOrEqual(2)
    expect(await pullRequestRow(service, repository, 6)).toMatchObject({ unread_since: null })
    leave(0)
    const left = await unreadIn(service, repository)
    await service.db.query('update pull_requests set marked_by_webhook = true, read_after = $1', [service.clock.now()])
    expect(await observing.read()).toMatchObject({ read: 0, paused: 1 })
    service.clock.advance(61 * minute)
    expect(await observing.read()).toMatchObject({ read: left })
  })
})

describe('a merge queue', () => {
  it('has pull requests that are not observed', async () => {
    await open('gh-readonly-queue/main/pr-1')
    await open('gtmq_abc')
    await open('feat')
    await observing.all()
    expect((await records()).map(({ branch }) => branch)).toEqual(['feat'])
  })

  it('that the settings name later ends what was observed', async () => {
    await open('queue/feat')
    await observing.all()
    service.clock.advance(25 * hour)
    await startObserving(service, { settings: { ignored_branches: ['queue/**'] } }).all()
    expect(await record1()).toMatchObject({ archived_reason: 'closed' })
    expect(await pullRequestRow(service, repository, 1)).toBeNull()
  })
})

describe('a repository where nothing is observed', () => {
  it('costs nothing, and what was observed ends', async () => {
    await open('feat')
    await observing.all()
    service.clock.advance(61 * minute)
    const off = startObserving(service, { settings: { enabled: false } })
    const asked = recordRequests(service)
    await off.all()
    expect(pulls(asked())).toEqual([])
    expect(await record1()).toMatchObject({ archived_reason: 'closed' })
    service.clock.advance(61 * minute)
    await startObserving(service).all()
    expect(await records()).toHaveLength(2)
  })

  it('is one whose pull requests the App may not read', async () => {
    await open('feat')
    await observing.all()
    for (const installation of service.github.data.installations.values()) {
      installation.permissions = { metadata: 'read', contents: 'read' }
    }
    service.clock.advance(61 * minute)
    const later = startObserving(service, { app: appOf(service) })
    expect(await later.list()).toMatchObject({ not_installed: 1 })
    expect(await stateOf(service, repository)).toMatchObject({ by_app: false })
  })

  it('is one that the App is not installed on', async () => {
    await open('feat')
    await observing.all()
    service.github.data.installations.clear()
    service.clock.advance(61 * minute)
    const later = startObserving(service, { app: appOf(service) })
    expect(await later.list()).toMatchObject({ not_installed: 1 })
    expect(await stateOf(service, repository)).toMatchObject({ by_app: false })
  })
})
