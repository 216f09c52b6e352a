import { describe, expect, it, onTestFinished } from 'vitest'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { day, hour, minute, second } from '../../support/clock.ts'
import { addSuite } from '../../support/github/check-data.ts'
import { faults } from '../../support/github/faults.ts'
import { startTestService } from '../../support/service.ts'
import { startObserving } from '../observed/observing.ts'
import { record } from '../webhooks/recovery.ts'
import { readOnly, useReports } from './check-runs.ts'

const at = useReports()
const { standIn, runs, titles, runOn, titleOn, open, push, settle } = at

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
    at.service.clock.advance(minute)
    await at.service.github.closePullRequest(at.repository, 1)
    await settle()
    at.service.clock.advance(31 * day)
    await sweep(at.service.db, { now: at.service.clock.now(), retentionMs: 30 * day })
    expect(await at.service.db.prisma.pullRequestReport.count({ where: { repository_id: at.repository.id } })).toBe(0)
    await open('bob', [15, 16])
    await at.service.github.reopenPullRequest(at.repository, 1)
    await settle()
    expect(titleOn(1)).toBe('Same lines as #2 (bob)')
    expect(runs().filter(({ headSha }) => headSha === standIn().pulls[0]?.headSha)).toHaveLength(1)
  })

  it('of a fork has one too', async () => {
    const fork = at.service.newRepository(`fork-of-${at.repository.owner}`)
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
    at.service.clock.advance(minute)
    await at.service.github.markReady(at.repository, 2)
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
    at.service.clock.advance(20 * second)
    await settle()
    expect(titles()).toEqual(['Conflicts with main already'])
  })

  it('whose files GitHub does not list is not compared', async () => {
    await open('alice', [10, 20])
    at.service.github.fail(faults.unicorn(), { path: /\/files/ })
    for (const wait of [0, 2 * minute, 5 * minute]) {
      at.service.clock.advance(wait)
      await settle()
    }
    expect(titles()).toEqual(['Not compared: GitHub did not list the files'])
    at.service.github.heal()
    at.service.clock.advance(hour)
    await settle()
    expect(titles()).toEqual(['No overlap with work in flight'])
  })

  it('of more files than GitHub lists is not told as compared whole, nor does a check of others say "go ahead"', async () => {
    const files = Array.from({ length: 3_010 }, (_, n) => ({ path: `src/many/${n}.ts`, lines: [[1, 2]] as const }))
    const many = (count: number) => ({ files: files.slice(0, count) })
    const observing = startObserving(at.service, { app: at.app })
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
    const { items } = await at.repository.page('/activity?source=pull_request&branch=alice')
    expect(items).toMatchObject([
      { summary: 'Pull request #1: 3,010 files', changes: { files_total: 3_010, files_compared: 3_000 } },
    ])
    const asked = await startTestService({ sharedWith: at.service, githubApp: true, callers: {} })
    onTestFinished(() => asked.stop())
    const check = (body: object) =>
      asked.as(at.repository).check({ base_branch: 'main', scope: { paths: ['README.md'] }, ...body })
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
    at.service.clock.advance(minute)
    await at.service.github.push(at.repository, 'alice', {}, { changed: [...many(3_000).files] })
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
    await record(at.repository, { branch: 'alice', actor: 'Alice at home', scope: { paths: ['**'] } })
    await open('bob', [15, 16])
    await open('carla', [800, 801])
    await settle()
    expect([1, 2, 3].map(titleOn)).toEqual([
      'Same lines as #2 (bob)',
      'Same lines as #1 (alice)',
      'No overlap with work in flight',
    ])
    at.service.clock.advance(minute)
    await at.service.github.mergePullRequest(at.repository, 1)
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
    at.installation.permissions = readOnly
    const { headSha } = await open('alice', [10, 20])
    at.service.clock.advance(minute)
    await at.service.github.acceptPermissions(at.installation)
    addSuite(at.service.github.data, standIn(), headSha)
    await at.service.github.rerequestCheckSuite(at.repository, headSha)
    const observing = startObserving(at.service, { app: at.app })
    expect(await observing.report()).toMatchObject({ created: 0, waiting: 1 })
    await observing.read()
    expect(await observing.report()).toMatchObject({ created: 1 })
  })
})
