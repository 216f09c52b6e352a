import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { GithubApp } from '../../../src/service/github/installation/app-client.ts'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import type { Log } from '../../../src/service/lib/log.ts'
import type { Settings } from '../../../src/service/records/settings/schema.ts'
import { mostWrites } from '../../../src/service/report/write-pace.ts'
import { loadWriteTimes, saveWriteTimes } from '../../../src/service/report/write-times-store.ts'
import { day, hour, minute, second } from '../../support/clock.ts'
import { addSuite, suiteStatus } from '../../support/github/check-data.ts'
import { type Installation, repositoryOf } from '../../support/github/data.ts'
import { faults } from '../../support/github/faults.ts'
import type { Opening } from '../../support/github/pull-actions.ts'
import { silentLog } from '../../support/log.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { countingObserver, startObserving, unreadIn } from '../observed/observing.ts'
import { collectingLog } from '../settings/collecting-log.ts'
import { appOf, hookUp, record, recordRequests } from '../webhooks/recovery.ts'

const readOnly = { metadata: 'read', contents: 'read', pull_requests: 'read' } as const

let service: TestService
let repository: TestRepository
let installation: Installation
let owners = 0
let app: GithubApp

beforeAll(async () => {
  service = await startTestService({ githubApp: true, observer: countingObserver(), writesReports: true })
  hookUp(service)
  app = appOf(service)
})
afterAll(() => service.stop())

// An owner each: the limits are those of an installation.
beforeEach(() => {
  service.github.heal()
  service.clock.advance(2 * hour)
  const owner = `owner-${++owners}`
  repository = service.newRepository(owner)
  installation = service.github.install(owner)
})

const standIn = () => repositoryOf(service.github.data, Number(repository.id))
const runs = () => standIn().checkRuns
const titles = () => runs().map(({ title }) => title)
/** The check run that GitHub shows on a pull request: the last one of its head. */
const runOn = (number: number) => {
  const head = standIn().pulls.find((pull) => pull.number === number)?.headSha
  return runs().findLast(({ headSha }) => headSha === head)
}
const titleOn = (number: number) => runOn(number)?.title
const openNow = (head: string) =>
  service.github.openPullRequest(repository, { head, author: head, files: [{ path: 'src/a.ts', lines: [[10, 20]] }] })
const open = (head: string, lines: [number, number] | null, more: Partial<Opening> = {}) => {
  service.clock.advance(minute)
  const file =
    lines === null ? { path: 'src/a.ts', additions: 90_000, deletions: 5 } : { path: 'src/a.ts', lines: [lines] }
  return service.github.openPullRequest(repository, {
    head,
    author: head,
    association: 'MEMBER',
    files: [file],
    ...more,
  })
}
const push = (head: string, lines: [number, number]) => {
  service.clock.advance(minute)
  return service.github.push(repository, head, {}, { changed: [{ path: 'src/a.ts', lines: [lines] }] })
}

async function settle(settings: Partial<Settings> = {}, shadow = false, log: Log = silentLog) {
  const observing = startObserving(service, { app, settings, shadow, log })
  await observing.read()
  return observing.report()
}

async function reportState() {
  const { body } = await repository.get('/settings')
  return (body as { report: unknown }).report
}

describe('the first push after the grant', () => {
  it('gets a completed check run with advice, and the check run of the earlier pull request names it too', async () => {
    await open('alice', [10, 20])
    await settle()
    expect(runs()).toMatchObject([
      {
        name: 'Headsup',
        status: 'completed',
        conclusion: 'success',
        title: 'No overlap with work in flight',
        externalId: `${repository.id}:${standIn().pulls[0]?.headSha}`,
        detailsUrl: `https://headsup.example/${repository.owner}/${repository.name}`,
      },
    ])
    await open('bob', [15, 16])
    expect(await settle()).toMatchObject({ created: 1, rewritten: 1 })
    expect([1, 2].map(titleOn)).toEqual(['Same lines as #2 (bob)', 'Same lines as #1 (alice)'])
    expect(runs().map(({ conclusion }) => conclusion)).toEqual(['neutral', 'neutral'])
    expect(runs()[0]?.summary).toContain('| #2 on `bob` | bob |')
  })

  it('is written once: what changes neither conclusion nor title is not written again', async () => {
    await open('alice', [10, 20])
    await open('bob', [15, 16])
    await settle()
    const asked = recordRequests(service)
    await service.github.retitle(repository, 1, 'Another title')
    await push('alice', [11, 20])
    expect(await settle()).toMatchObject({ created: 1, rewritten: 0, unchanged: 1 })
    expect(runs()).toHaveLength(3)
    expect(asked().filter((target) => /check-runs\/\d/.test(target))).toEqual([])
  })

  it('is rewritten on both sides when one moves away, and when it is closed', async () => {
    await open('alice', [10, 20])
    await open('bob', [15, 16])
    await settle()
    await push('bob', [300, 301])
    await settle()
    expect([1, 2].map(titleOn)).toEqual(['No overlap with work in flight', 'No overlap with work in flight'])
    await push('bob', [15, 16])
    await settle()
    expect(titleOn(1)).toBe('Same lines as #2 (bob)')
    service.clock.advance(minute)
    await service.github.closePullRequest(repository, 2)
    await settle()
    expect(titleOn(1)).toBe('No overlap with work in flight')
  })

  it('begins with the next push: a pull request from before the grant has none', async () => {
    installation.permissions = readOnly
    await open('alice', [10, 20])
    expect(await settle()).toMatchObject({ created: 0, skipped: 1 })
    expect(await reportState()).toEqual({
      state: 'permission_missing',
      reason: null,
      approve_url: `https://github.com/organizations/${repository.owner}/settings/installations/${installation.id}`,
    })
    service.clock.advance(minute)
    await service.github.acceptPermissions(installation)
    expect(await reportState()).toEqual({ state: 'active', reason: null, approve_url: null })
    await open('bob', [15, 16])
    expect(await settle()).toMatchObject({ created: 1 })
    expect(titles()).toEqual(['Same lines as #1 (alice)'])
    await push('alice', [11, 12])
    await settle()
    expect(titles()).toEqual(['No overlap with work in flight', 'No overlap with work in flight'])
  })

  it('counts in the very second of the grant, although GitHub tells times in whole seconds', async () => {
    service.clock.advance(600 - (service.clock.now().getTime() % second))
    await startObserving(service, { app }).list()
    service.clock.advance(300)
    await openNow('alice')
    expect(await settle()).toMatchObject({ created: 1 })
  })

  it('counts while the repositories of the App are being found', async () => {
    const slowApp: GithubApp = {
      ...app,
      async requestForInstallation(installation, request) {
        const response = await app.requestForInstallation(installation, request)
        service.clock.advance(2 * second)
        await openNow('alice')
        service.clock.advance(2 * second)
        return response
      },
    }
    await startObserving(service, { app: slowApp }).list()
    expect(await settle()).toMatchObject({ created: 1 })
  })
})

describe('without checks: write', () => {
  it('nothing is written, and nothing else depends on it', async () => {
    installation.permissions = readOnly
    await open('alice', [10, 20])
    await open('bob', [15, 16])
    const asked = recordRequests(service)
    await settle()
    expect(asked().filter((target) => target.includes('/check-'))).toEqual([])
    const { items } = await repository.page('/activity?source=pull_request')
    expect(items).toHaveLength(2)
    expect(
      await repository.check({ base_branch: 'main', changes: { files: [{ path: 'src/a.ts', lines: [[15, 15]] }] } }),
    ).toMatchObject({ severity: 'high' })
  })

  it('that is revoked, no further check run is written, and the settings say so', async () => {
    await open('alice', [10, 20])
    await settle()
    installation.permissions = readOnly
    service.clock.advance(2 * hour)
    await push('alice', [11, 20])
    await settle()
    expect(runs()).toHaveLength(1)
    expect(await reportState()).toMatchObject({ state: 'permission_missing' })
    const asked = recordRequests(service)
    await push('alice', [12, 20])
    await settle()
    expect(asked().filter((target) => target.includes('/check-'))).toEqual([])
  })

  it('for only one repository, a refusal ends the reports there', async () => {
    await open('alice', [10, 20])
    const refusal = { status: 403, body: { message: 'Resource not accessible by integration' } }
    service.github.fail({ kind: 'reply', reply: refusal }, { path: /check-runs/ })
    await settle()
    service.github.heal()
    await push('alice', [10, 21])
    await settle()
    expect(runs()).toEqual([])
    expect(await reportState()).toMatchObject({ state: 'permission_missing' })
  })
})

it('the settings say why there are no check runs where the App does not read the repository', async () => {
  repository = service.newRepository('without-app')
  expect(await reportState()).toEqual({ state: 'off', reason: 'not_read', approve_url: null })
})

it('a pull request that GitHub does not show is no refusal of check runs', async () => {
  await open('alice', [10, 20])
  const hidden = { status: 403, body: { message: 'Resource not accessible by integration' } }
  service.github.fail({ kind: 'reply', reply: hidden }, { path: /\/pulls\/1$/ })
  expect(await settle()).toMatchObject({ created: 0, failed: 1 })
  expect(await reportState()).toMatchObject({ state: 'active' })
  service.github.heal()
  service.clock.advance(2 * minute)
  expect(await settle()).toMatchObject({ created: 1 })
})

describe('a check suite', () => {
  it('is never left queued: automatic suites are turned off, and one is created for each check run', async () => {
    await service.github.push(repository, 'unrelated-before')
    await open('alice', [10, 20])
    await settle()
    expect(standIn().autoTriggersChecks).toBe(false)
    const before = standIn().checkSuites.length
    await service.github.push(repository, 'unrelated')
    expect(standIn().checkSuites).toHaveLength(before)
    await push('alice', [10, 21])
    await open('bob', [40, 41])
    await settle()
    const of = new Set(runs().map(({ suiteId }) => suiteId))
    const made = standIn().checkSuites.filter(({ id }) => of.has(id))
    expect(made.map((suite) => suiteStatus(standIn(), suite))).toEqual(['completed', 'completed', 'completed'])
    expect(runs().every(({ status }) => status === 'completed')).toBe(true)
  })

  it.each([403, 404, 422])(
    'stays queued for ever where GitHub lets nobody end that: the trap, with %s',
    async (status) => {
      service.github.fail({ kind: 'reply', reply: { status, body: { message: 'No' } } }, { path: /preferences/ })
      await open('alice', [10, 20])
      await settle()
      await service.github.push(repository, 'unrelated')
      const queued = standIn().checkSuites.filter((suite) => suiteStatus(standIn(), suite) === 'queued')
      expect(queued).toHaveLength(1)
      // A refusal is an answer: GitHub is not asked again.
      const asked = recordRequests(service)
      await push('alice', [10, 21])
      await settle()
      expect(asked().filter((target) => target.includes('preferences'))).toEqual([])
      expect(runs()).toHaveLength(2)
    },
  )

  const rerun = {
    'the check run': () => service.github.rerequestCheckRun(repository, runs()[0]?.id ?? 0),
    'all checks': () => service.github.rerequestCheckSuite(repository, runs()[0]?.headSha ?? ''),
  }
  it.each(['the check run', 'all checks'] as const)('is completed again after somebody re-runs %s', async (what) => {
    await open('alice', [10, 20])
    await settle()
    await rerun[what]()
    const [suite] = standIn().checkSuites
    expect(suite && suiteStatus(standIn(), suite)).toBe('queued')
    await settle()
    expect(suite && suiteStatus(standIn(), suite)).toBe('completed')
    expect(titles()).toEqual(['No overlap with work in flight', 'No overlap with work in flight'])
  })

  it.each(['before', 'after'] as const)(
    'is completed after a re-run of a pull request that was put aside %s its files were read',
    async (when) => {
      await open('alice', [10, 20])
      await settle()
      if (when === 'before') {
        await push('alice', [10, 21])
        addSuite(service.github.data, standIn(), standIn().pulls[0]?.headSha ?? '')
      }
      const { items } = await repository.page('/activity?source=pull_request')
      expect(await repository.post(`/activity/${items[0]?.id}/archive`)).toMatchObject({ status: 200 })
      expect(await settle()).toMatchObject({ created: 0, rewritten: 0 })
      await service.github.rerequestCheckSuite(repository, standIn().pulls[0]?.headSha ?? '')
      expect(await settle()).toMatchObject({ waiting: 0, skipped: 0 })
      const suite = standIn().checkSuites.find(({ headSha }) => headSha === standIn().pulls[0]?.headSha)
      expect(suite && suiteStatus(standIn(), suite)).toBe('completed')
      expect(runOn(1)).toMatchObject({ conclusion: 'neutral', title: 'Not compared: put aside until the next push' })
      expect(runOn(1)?.summary).toContain('was put aside, and so it is not compared')
      expect(await settle()).toMatchObject({ created: 0, rewritten: 0 })
      await push('alice', [10, 22])
      await settle()
      expect(titleOn(1)).toBe('No overlap with work in flight')
    },
  )
})

describe('a head', () => {
  it('of two pull requests has one check run', async () => {
    const { headSha } = await open('alice', [10, 20])
    await open('alice', [10, 20], { base: 'release', commits: [{ sha: headSha }] })
    await open('bob', [15, 16])
    await settle()
    expect(runs().filter((run) => run.headSha === headSha)).toMatchObject([{ title: 'Same lines as #3 (bob)' }])
  })

  it('keeps its one check run where its pull request is opened again after it was forgotten', async () => {
    await open('alice', [10, 20])
    await settle()
    service.clock.advance(minute)
    await service.github.closePullRequest(repository, 1)
    await settle()
    service.clock.advance(31 * day)
    await sweep(service.db, { now: service.clock.now(), retentionMs: 30 * day })
    expect(await service.db.prisma.pullRequestReport.count({ where: { repository_id: repository.id } })).toBe(0)
    await open('bob', [15, 16])
    await service.github.reopenPullRequest(repository, 1)
    await settle()
    expect(titleOn(1)).toBe('Same lines as #2 (bob)')
    expect(runs().filter(({ headSha }) => headSha === standIn().pulls[0]?.headSha)).toHaveLength(1)
  })

  it('of a fork has one too', async () => {
    const fork = service.newRepository(`fork-of-${repository.owner}`)
    await open('alice', [10, 20])
    await open('bob', [15, 16], { from: fork, author: 'bob' })
    await settle()
    expect(titles().sort()).toEqual(['Same lines as #1 (alice)', 'Same lines as #2 (bob)'])
    expect(runs().find(({ title }) => title?.includes('#2'))?.summary).toContain('| #2 | bob |')
  })

  it('of a draft has one, but with `ready` none until the draft is ready', async () => {
    const ready = { pull_request_report: 'ready' } as const
    await open('bob', [300, 301], { draft: true })
    expect(await settle()).toMatchObject({ created: 1 })
    await open('alice', [10, 20], { draft: true })
    expect(await settle(ready)).toMatchObject({ created: 0, skipped: 1 })
    service.clock.advance(minute)
    await service.github.markReady(repository, 2)
    expect(await settle(ready)).toMatchObject({ created: 1 })
  })

  it('has none with `off`, and where nothing is observed', async () => {
    await open('alice', [10, 20])
    expect(await settle({ pull_request_report: 'off' })).toMatchObject({ created: 0 })
    await push('alice', [10, 21])
    expect(await settle({ enabled: false })).toMatchObject({ created: 0 })
    expect(runs()).toEqual([])
  })

  it('that conflicts with its base says so, and is not compared', async () => {
    await open('alice', [10, 20])
    await settle()
    await open('bob', [15, 16], { mergeableState: 'dirty' })
    await settle()
    expect(titles().at(-1)).toBe('Conflicts with main already')
    expect(runs().at(-1)).toMatchObject({ conclusion: 'neutral' })
  })

  it('waits a moment while GitHub computes whether it conflicts', async () => {
    const pull = await open('alice', [10, 20], { mergeableState: 'unknown' })
    expect(await settle()).toMatchObject({ created: 0, waiting: 1 })
    pull.mergeableState = 'dirty'
    service.clock.advance(20 * second)
    await settle()
    expect(titles()).toEqual(['Conflicts with main already'])
  })

  it('whose files GitHub does not list is not compared', async () => {
    await open('alice', [10, 20])
    service.github.fail(faults.unicorn(), { path: /\/files/ })
    for (const wait of [0, 2 * minute, 5 * minute]) {
      service.clock.advance(wait)
      await settle()
    }
    expect(titles()).toEqual(['Not compared: GitHub did not list the files'])
    service.github.heal()
    service.clock.advance(hour)
    await settle()
    expect(titles()).toEqual(['No overlap with work in flight'])
  })

  it('of more files than GitHub lists is not told as compared whole, nor does a check of others say "go ahead"', async () => {
    const files = Array.from({ length: 3_010 }, (_, n) => ({ path: `src/many/${n}.ts`, lines: [[1, 2]] as const }))
    const many = (count: number) => ({ files: files.slice(0, count) })
    const observing = startObserving(service, { app })
    await observing.list()
    await open('alice', null, many(3_010))
    await open('bob', [15, 16])
    await observing.read()
    await observing.report()
    expect([1, 2].map(runOn)).toMatchObject([
      { conclusion: 'neutral', title: 'Not fully compared: GitHub did not list all files' },
      { conclusion: 'success', title: 'No overlap with work in flight' },
    ])
    expect(runOn(2)?.summary).toContain('1 open pull request of which GitHub does not list all files;')
    const { items } = await repository.page('/activity?source=pull_request&branch=alice')
    expect(items).toMatchObject([
      { summary: 'Pull request #1: 3,010 files', changes: { files_total: 3_010, files_compared: 3_000 } },
    ])
    const asked = await startTestService({ sharedWith: service, githubApp: true, callers: {} })
    onTestFinished(() => asked.stop())
    const check = (body: object) =>
      asked.as(repository).check({ base_branch: 'main', scope: { paths: ['README.md'] }, ...body })
    expect(await check({ branch: 'carla' })).toMatchObject({
      overlap_detected: false,
      reason: 'Nothing recorded or open meets this.\nGitHub does not list all files of #1: it changes more.',
      recommended_action:
        'Nothing that is known stands in the way, but not all files of #1 are known: look at it yourself.',
    })
    expect((await check({ branch: 'alice' })).recommended_action).toContain('Go ahead.')
    expect(await check({ activity_id: items[0]?.id })).toMatchObject({
      reason: expect.stringContaining('GitHub does not list 10 of your changed files: they were not compared.'),
      recommended_action: expect.not.stringMatching(/go ahead/i),
    })
    service.clock.advance(minute)
    await service.github.push(repository, 'alice', {}, { changed: [...many(3_000).files] })
    await observing.read()
    await observing.report()
    expect(titleOn(1)).toBe('No overlap with work in flight')
    expect((await check({ branch: 'carla' })).recommended_action).toBe('Go ahead.')
  })

  it('is near where the lines of the other are not known', async () => {
    await open('alice', null)
    await open('bob', [15, 16])
    await settle()
    expect([1, 2].map(runOn)).toMatchObject([
      { conclusion: 'success', title: 'Only near: #2 (bob)' },
      { conclusion: 'success', title: 'Only near: #1 (alice)' },
    ])
  })

  it('of a pull request with recorded work is described as the pull request', async () => {
    await open('alice', [10, 20])
    await record(repository, { branch: 'alice', actor: 'Alice at home', scope: { paths: ['**'] } })
    await open('bob', [15, 16])
    await open('carla', [800, 801])
    await settle()
    expect([1, 2, 3].map(titleOn)).toEqual([
      'Same lines as #2 (bob)',
      'Same lines as #1 (alice)',
      'No overlap with work in flight',
    ])
    service.clock.advance(minute)
    await service.github.mergePullRequest(repository, 1)
    await settle()
    expect(titleOn(2)).toBe('Merged meanwhile with the same lines: #1 (alice); update from main')
  })

  it('is compared by its last push, also where both sides push before either is looked at', async () => {
    await open('alice', [10, 20])
    await open('bob', [15, 16])
    await settle()
    await push('alice', [300, 310])
    await push('bob', [305, 306])
    expect(await settle()).toMatchObject({ created: 2 })
    expect([1, 2].map(titleOn)).toEqual(['Same lines as #2 (bob)', 'Same lines as #1 (alice)'])
    await push('alice', [10, 20])
    await push('bob', [40, 41])
    await settle()
    expect([1, 2].map(titleOn)).toEqual(['No overlap with work in flight', 'No overlap with work in flight'])
  })

  it('that is re-run before its files are read is written when they are', async () => {
    installation.permissions = readOnly
    const { headSha } = await open('alice', [10, 20])
    service.clock.advance(minute)
    await service.github.acceptPermissions(installation)
    addSuite(service.github.data, standIn(), headSha)
    await service.github.rerequestCheckSuite(repository, headSha)
    const observing = startObserving(service, { app })
    expect(await observing.report()).toMatchObject({ created: 0, waiting: 1 })
    await observing.read()
    expect(await observing.report()).toMatchObject({ created: 1 })
  })
})

describe('a merge of the other side', () => {
  it('is described until the next push of the head', async () => {
    await open('alice', [10, 20])
    await open('bob', [15, 16])
    await settle()
    service.clock.advance(minute)
    await service.github.mergePullRequest(repository, 2)
    await settle()
    expect(titleOn(1)).toBe('Merged meanwhile with the same lines: #2 (bob); update from main')
    expect(runOn(1)).toMatchObject({ conclusion: 'neutral' })
    await push('alice', [10, 20])
    await settle()
    expect(titleOn(1)).toBe('No overlap with work in flight')
  })

  it('is described for 7 days', async () => {
    await open('alice', [10, 20])
    await open('bob', [15, 16])
    await settle()
    await service.github.mergePullRequest(repository, 2)
    await settle()
    // Readings of open pull requests extend their records meanwhile.
    const { repository_id, expires_at } = { repository_id: repository.id, expires_at: new Date('2027-02-01') }
    await service.db.prisma.activity.updateMany({ where: { repository_id, ended_at: null }, data: { expires_at } })
    service.clock.advance(7 * day - minute)
    await settle()
    expect(titleOn(1)).toContain('Merged meanwhile')
    service.clock.advance(minute)
    await settle()
    expect(titleOn(1)).toBe('No overlap with work in flight')
  })
})

describe('GitHub', () => {
  it('that fails is repeated, and a check run that it created nevertheless is found', async () => {
    await open('alice', [10, 20])
    service.github.fail({ kind: 'drop', when: 'in_body' }, { path: /check-runs/, times: 1 })
    expect(await settle()).toMatchObject({ created: 0, failed: 1 })
    expect(runs()).toHaveLength(1)
    service.clock.advance(2 * minute)
    expect(await settle()).toMatchObject({ created: 1 })
    expect(runs()).toHaveLength(1)
  })

  it.each([404, 422, 500, 502])(
    'that answers %s is asked again later, and nothing else depends on it',
    async (status) => {
      await open('alice', [10, 20])
      const reply = { status, body: { message: 'No' } }
      service.github.fail({ kind: 'reply', reply }, { path: /check-(runs|suites$)/ })
      expect(await settle()).toMatchObject({ created: 0, failed: 1 })
      expect(await reportState()).toMatchObject({ state: 'active' })
      service.github.heal()
      service.clock.advance(2 * minute)
      expect(await settle()).toMatchObject({ created: 1, failed: 0 })
    },
  )

  it('gets one check run though the service is killed after GitHub made it', async () => {
    await open('alice', [10, 20])
    const dying: GithubApp = {
      ...app,
      async requestForChecks(of, request) {
        const response = await app.requestForChecks(of, request)
        const isMade = request.route.endsWith('/check-runs') && 'status' in response && response.status === 201
        if (isMade) throw new Error('killed')
        return response
      },
    }
    const observing = startObserving(service, { app: dying })
    await observing.read()
    await expect(observing.report()).rejects.toThrow('killed')
    expect(runs()).toHaveLength(1)
    service.clock.advance(2 * minute)
    expect(await settle()).toMatchObject({ created: 1 })
    expect(runs()).toHaveLength(1)
  })

  it('gets each check run once, from however many instances', async () => {
    await open('alice', [10, 20])
    await open('bob', [15, 16])
    await startObserving(service, { app }).read()
    const instances = [startObserving(service, { app }), startObserving(service, { app: appOf(service) })]
    await Promise.all(instances.map(({ report }) => report()))
    await Promise.all(instances.map(({ report }) => report()))
    expect([1, 2].map(titleOn)).toEqual(['Same lines as #2 (bob)', 'Same lines as #1 (alice)'])
    expect(runs()).toHaveLength(2)
  })

  it('that limits the App gets no request until then', async () => {
    await open('alice', [10, 20])
    const limited = {
      status: 403,
      headers: { 'retry-after': '600' },
      body: { message: 'You have exceeded a secondary rate limit.' },
    }
    service.github.fail({ kind: 'reply', reply: limited }, { path: /check-runs/, times: 1 })
    const observing = startObserving(service, { app })
    await observing.read()
    expect(await observing.report()).toMatchObject({ created: 0, paused: 1 })
    service.clock.advance(5 * minute)
    // Reading goes on: nothing else depends on check runs.
    await open('bob', [40, 41])
    await observing.read()
    expect(await unreadIn(service, repository)).toBe(0)
    expect(await observing.report()).toMatchObject({ created: 0 })
    service.clock.advance(6 * minute)
    expect(await observing.report()).toMatchObject({ created: 2 })
  })

  it('gets at most 400 check runs an hour: what falls off is written with the next event of its head', async () => {
    const now = service.clock.now().getTime()
    const times = Array.from({ length: mostWrites.hour }, () => now - 10 * minute)
    await saveWriteTimes(service.db, repository.owner, { all: times, forNotables: [] })
    await open('alice', [10, 20])
    expect(await settle()).toMatchObject({ created: 0, dropped: 1 })
    service.clock.advance(hour)
    expect(await settle()).toMatchObject({ created: 0, dropped: 0 })
    await open('bob', [15, 16])
    expect(await settle()).toMatchObject({ created: 2 })
  })
})

describe('the limit of the owner', () => {
  it('counts every request for a check run or its suite, a second apart', async () => {
    const asked = recordRequests(service)
    await open('alice', [10, 20])
    await settle()
    await push('alice', [10, 21])
    await settle()
    const writes = asked().filter((target) => /\/check-(runs|suites)$/.test(target))
    // The first check run. Then one that is refused, its suite, and the check run.
    expect(writes).toHaveLength(4)
    const { all: times } = await loadWriteTimes(service.db, repository.owner)
    expect(times).toHaveLength(writes.length)
    expect(times.slice(1).every((time, n) => time - (times[n] ?? 0) >= second)).toBe(true)
  })
})

describe('in shadow', () => {
  it('the same is counted, and nothing is written', async () => {
    installation.permissions = readOnly
    await open('alice', [10, 20])
    const asked = recordRequests(service)
    expect(await settle({}, true)).toMatchObject({ would_create: 1, created: 0 })
    await open('bob', [15, 16])
    const log = collectingLog()
    expect(await settle({}, true, log)).toMatchObject({ would_create: 1, would_rewrite: 1 })
    expect(asked().filter((target) => target.includes('/check-'))).toEqual([])
    const said = { repository_id: String(repository.id), conclusion: 'neutral' }
    expect(log.lines.filter(({ message }) => message === 'a check run would be written')).toMatchObject([
      { fields: { ...said, number: 2, title: 'Same lines as #1 (alice)', rewrite: false } },
      { fields: { ...said, number: 1, title: 'Same lines as #2 (bob)', rewrite: true } },
    ])
    await service.github.acceptPermissions(installation)
    await push('bob', [15, 17])
    expect(await settle()).toMatchObject({ created: 1 })
  })
})
