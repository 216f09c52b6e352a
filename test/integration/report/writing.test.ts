import { describe, expect, it } from 'vitest'
import type { GithubApp } from '../../../src/service/github/installation/app-client.ts'
import { day, minute, second } from '../../support/clock.ts'
import { addSuite, suiteStatus } from '../../support/github/check-data.ts'
import { startObserving } from '../observed/observing.ts'
import { collectingLog } from '../settings/collecting-log.ts'
import { recordRequests } from '../webhooks/recovery.ts'
import { readOnly, useReports } from './check-runs.ts'

const at = useReports()
const { standIn, runs, titles, runOn, titleOn, openNow, open, push, settle, reportState } = at

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
        externalId: `${at.repository.id}:${standIn().pulls[0]?.headSha}`,
        detailsUrl: `https://headsup.example/${at.repository.owner}/${at.repository.name}`,
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
    const asked = recordRequests(at.service)
    await at.service.github.retitle(at.repository, 1, 'Another title')
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
    at.service.clock.advance(minute)
    await at.service.github.closePullRequest(at.repository, 2)
    await settle()
    expect(titleOn(1)).toBe('No overlap with work in flight')
  })

  it('begins with the next push: a pull request from before the grant has none', async () => {
    at.installation.permissions = readOnly
    await open('alice', [10, 20])
    expect(await settle()).toMatchObject({ created: 0, skipped: 1 })
    expect(await reportState()).toEqual({
      state: 'permission_missing',
      reason: null,
      approve_url: `https://github.com/organizations/${at.repository.owner}/settings/installations/${at.installation.id}`,
    })
    at.service.clock.advance(minute)
    await at.service.github.acceptPermissions(at.installation)
    expect(await reportState()).toEqual({ state: 'active', reason: null, approve_url: null })
    await open('bob', [15, 16])
    expect(await settle()).toMatchObject({ created: 1 })
    expect(titles()).toEqual(['Same lines as #1 (alice)'])
    await push('alice', [11, 12])
    await settle()
    expect(titles()).toEqual(['No overlap with work in flight', 'No overlap with work in flight'])
  })

  it('counts in the very second of the grant, although GitHub tells times in whole seconds', async () => {
    at.service.clock.advance(600 - (at.service.clock.now().getTime() % second))
    await startObserving(at.service, { app: at.app }).list()
    at.service.clock.advance(300)
    await openNow('alice')
    expect(await settle()).toMatchObject({ created: 1 })
  })

  it('counts while the repositories of the App are being found', async () => {
    const slowApp: GithubApp = {
      ...at.app,
      async requestForInstallation(installation, request) {
        const response = await at.app.requestForInstallation(installation, request)
        at.service.clock.advance(2 * second)
        await openNow('alice')
        at.service.clock.advance(2 * second)
        return response
      },
    }
    await startObserving(at.service, { app: slowApp }).list()
    expect(await settle()).toMatchObject({ created: 1 })
  })
})

describe('a check suite', () => {
  it('is never left queued: automatic suites are turned off, and one is created for each check run', async () => {
    await at.service.github.push(at.repository, 'unrelated-before')
    await open('alice', [10, 20])
    await settle()
    expect(standIn().autoTriggersChecks).toBe(false)
    const before = standIn().checkSuites.length
    await at.service.github.push(at.repository, 'unrelated')
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
      at.service.github.fail({ kind: 'reply', reply: { status, body: { message: 'No' } } }, { path: /preferences/ })
      await open('alice', [10, 20])
      await settle()
      await at.service.github.push(at.repository, 'unrelated')
      const queued = standIn().checkSuites.filter((suite) => suiteStatus(standIn(), suite) === 'queued')
      expect(queued).toHaveLength(1)
      // A refusal is an answer: GitHub is not asked again.
      const asked = recordRequests(at.service)
      await push('alice', [10, 21])
      await settle()
      expect(asked().filter((target) => target.includes('preferences'))).toEqual([])
      expect(runs()).toHaveLength(2)
    },
  )

  const rerun = {
    'the check run': () => at.service.github.rerequestCheckRun(at.repository, runs()[0]?.id ?? 0),
    'all checks': () => at.service.github.rerequestCheckSuite(at.repository, runs()[0]?.headSha ?? ''),
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
        addSuite(at.service.github.data, standIn(), standIn().pulls[0]?.headSha ?? '')
      }
      const { items } = await at.repository.page('/activity?source=pull_request')
      expect(await at.repository.post(`/activity/${items[0]?.id}/archive`)).toMatchObject({ status: 200 })
      expect(await settle()).toMatchObject({ created: 0, rewritten: 0 })
      await at.service.github.rerequestCheckSuite(at.repository, standIn().pulls[0]?.headSha ?? '')
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

describe('a merge of the other side', () => {
  it('is described until the next push of the head', async () => {
    await open('alice', [10, 20])
    await open('bob', [15, 16])
    await settle()
    at.service.clock.advance(minute)
    await at.service.github.mergePullRequest(at.repository, 2)
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
    await at.service.github.mergePullRequest(at.repository, 2)
    await settle()
    // Readings of open pull requests extend their records meanwhile.
    const { repository_id, expires_at } = { repository_id: at.repository.id, expires_at: new Date('2027-02-01') }
    await at.service.db.prisma.activity.updateMany({ where: { repository_id, ended_at: null }, data: { expires_at } })
    at.service.clock.advance(7 * day - minute)
    await settle()
    expect(titleOn(1)).toContain('Merged meanwhile')
    at.service.clock.advance(minute)
    await settle()
    expect(titleOn(1)).toBe('No overlap with work in flight')
  })
})

describe('in shadow', () => {
  it('the same is counted, and nothing is written', async () => {
    at.installation.permissions = readOnly
    await open('alice', [10, 20])
    const asked = recordRequests(at.service)
    expect(await settle({}, true)).toMatchObject({ would_create: 1, created: 0 })
    await open('bob', [15, 16])
    const log = collectingLog()
    expect(await settle({}, true, log)).toMatchObject({ would_create: 1, would_rewrite: 1 })
    expect(asked().filter((target) => target.includes('/check-'))).toEqual([])
    const said = { repository_id: String(at.repository.id), conclusion: 'neutral' }
    expect(log.lines.filter(({ message }) => message === 'a check run would be written')).toMatchObject([
      { fields: { ...said, number: 2, title: 'Same lines as #1 (alice)', rewrite: false } },
      { fields: { ...said, number: 1, title: 'Same lines as #2 (bob)', rewrite: true } },
    ])
    await at.service.github.acceptPermissions(at.installation)
    await push('bob', [15, 17])
    expect(await settle()).toMatchObject({ created: 1 })
  })
})
