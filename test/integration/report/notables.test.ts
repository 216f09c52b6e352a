import { describe, expect, it } from 'vitest'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { day, hour, minute } from '../../support/clock.ts'
import { faults } from '../../support/github/faults.ts'
import type { Opening } from '../../support/github/pull-actions.ts'
import { startObserving } from '../observed/observing.ts'
import { recordRequests } from '../webhooks/recovery.ts'
import { useReports } from './check-runs.ts'

const at = useReports()
const { standIn, runOn, titleOn, settle } = at

function open(head: string, more: Partial<Opening> = {}) {
  at.service.clock.advance(minute)
  const files = [{ path: `src/${head}.ts`, lines: [[10, 20]] as const }]
  return at.service.github.openPullRequest(at.repository, { head, author: head, association: 'MEMBER', files, ...more })
}

const inDays = (days: number) => new Date(at.service.clock.now().getTime() + days * day).toISOString()
/** As a title says it. */
const minuteOf = (time = '') => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`
const raise = (body: object = {}) =>
  at.repository.raised({
    title: 'Release freeze',
    category: 'process',
    blocking: true,
    applies_until: inDays(2),
    ...body,
  })

describe('a check run', () => {
  it('names a freeze first, with its end, and is neutral', async () => {
    const { applies_until } = await raise()
    await open('alice')
    expect(await settle()).toMatchObject({ created: 1 })
    const until = minuteOf(applies_until ?? '')
    expect(runOn(1)).toMatchObject({
      conclusion: 'neutral',
      title: `“Release freeze” until ${until} · No overlap with work in flight`,
      summary: expect.stringContaining('**Know before you merge**\n\n- `Release freeze` (process, '),
    })
  })

  it('names a critical notable about a file that the pull request changes, and about no other', async () => {
    await raise({ title: 'The table moves', scope: { paths: ['src/al*.ts'] }, blocking: false, importance: 'critical' })
    await open('alice')
    await open('bob')
    await settle()
    expect(titleOn(1)).toMatch(/^“The table moves” until .* · No overlap/)
    expect(runOn(1)?.summary).toContain('about `src/alice.ts`')
    expect(runOn(2)).toMatchObject({ conclusion: 'success', title: 'No overlap with work in flight' })
  })

  it('tells any other notable in the summary alone', async () => {
    await raise({ title: 'Mind the gap', blocking: false, importance: 'high', scope: { paths: ['src/**'] } })
    await open('alice')
    await settle()
    expect(runOn(1)).toMatchObject({ conclusion: 'success', title: 'No overlap with work in flight' })
    expect(runOn(1)?.summary).toContain('**Know before you merge**\n\n- `Mind the gap`')
  })

  it.each(['public', 'private'] as const)(
    'of a %s repository tells a notable about security there alone',
    async (kind) => {
      standIn().private = kind === 'private'
      const scope = { paths: ['src/alice.ts'] }
      await raise({ title: 'Tokens leak', category: 'security', summary: 'In the log.', scope })
      await open('alice', {
        files: [
          { path: 'src/alice.ts', lines: [[1, 2]] },
          { path: 'README.md', lines: [[1, 2]] },
        ],
      })
      await settle()
      const run = runOn(1)
      const [title, summary] = [run?.title ?? '', run?.summary ?? '']
      expect(run?.conclusion).toBe('neutral')
      const told = kind === 'private'
      expect([title.includes('“Tokens leak” until'), summary.includes('Tokens leak')]).toEqual([told, told])
      expect(summary.includes('src/alice.ts')).toBe(told)
      expect(title.startsWith('A notable about security until ')).toBe(!told)
    },
  )

  it('names none with `pull_request_report_notables: false`', async () => {
    await raise()
    await open('alice')
    await settle({ pull_request_report_notables: false })
    expect(runOn(1)).toMatchObject({ conclusion: 'success', title: 'No overlap with work in flight' })
    expect(runOn(1)?.summary).not.toContain('Know before you merge')
  })

  it('names a freeze also where the pull request conflicts with its base, or GitHub lists no files', async () => {
    await raise()
    await raise({ title: 'Elsewhere', scope: { paths: ['src/**'] } })
    await open('alice', { mergeableState: 'dirty' })
    await settle()
    expect(titleOn(1)).toMatch(/^“Elsewhere” until .* and 1 more · Conflicts with main already$/)
    at.service.github.fail(faults.unicorn(), { path: /\/files/ })
    await open('bob')
    for (const wait of [0, 2 * minute, 5 * minute]) {
      at.service.clock.advance(wait)
      await settle()
    }
    expect(titleOn(2)).toMatch(/^“Release freeze” until .* UTC · Not compared: GitHub did not list the files$/)
  })
})

describe('the check runs of open pull requests', () => {
  const clear = 'No overlap with work in flight'

  async function openTwo() {
    await open('alice')
    await open('bob')
    await settle()
    expect([1, 2].map(titleOn)).toEqual([clear, clear])
  }

  it('are rewritten when a freeze is raised, changed and archived', async () => {
    await openTwo()
    const { id } = await raise()
    expect(await settle()).toMatchObject({ created: 0, rewritten: 2 })
    expect(titleOn(1)).toMatch(/^“Release freeze” until /)
    const applies_until = inDays(5)
    expect(await at.repository.patch(`/notables/${id}`, { applies_until })).toMatchObject({ status: 200 })
    expect(await settle()).toMatchObject({ rewritten: 2 })
    expect(titleOn(2)).toBe(`“Release freeze” until ${minuteOf(applies_until)} · ${clear}`)
    await at.repository.patch(`/notables/${id}`, { summary: 'A longer reason.' })
    expect(await settle()).toMatchObject({ rewritten: 0, unchanged: 0 })
    await at.repository.patch(`/notables/${id}`, { blocking: false })
    expect(await settle()).toMatchObject({ rewritten: 2 })
    expect(runOn(1)).toMatchObject({ conclusion: 'success', title: clear })
    await at.repository.patch(`/notables/${id}`, { importance: 'critical' })
    expect(await settle()).toMatchObject({ rewritten: 2 })
    expect(await at.repository.post(`/notables/${id}/archive`)).toMatchObject({ status: 200 })
    expect(await settle()).toMatchObject({ rewritten: 2 })
    expect([1, 2].map(titleOn)).toEqual([clear, clear])
  })

  it('are rewritten when `applies_until` of a freeze has passed, and not before', async () => {
    await openTwo()
    await raise({ applies_until: new Date(at.service.clock.now().getTime() + hour).toISOString() })
    await settle()
    at.service.clock.advance(59 * minute)
    expect(await settle()).toMatchObject({ rewritten: 0 })
    at.service.clock.advance(2 * minute)
    expect(await settle()).toMatchObject({ rewritten: 2 })
    expect([1, 2].map(titleOn)).toEqual([clear, clear])
  })

  it('are rewritten once when a freeze expires, whether or not the sweeper saved that', async () => {
    await openTwo()
    await raise({ applies_until: null })
    await raise({ title: 'The other one', applies_until: null })
    expect(await settle()).toMatchObject({ rewritten: 2 })
    expect(titleOn(1)).toMatch(/^“The other one” until .* and 1 more · /)
    // Readings of open pull requests extend their records meanwhile.
    const where = { repository_id: at.repository.id, ended_at: null }
    await at.service.db.prisma.activity.updateMany({ where, data: { expires_at: new Date('2027-02-01') } })
    at.service.clock.advance(7 * day)
    expect(await settle()).toMatchObject({ rewritten: 2 })
    expect([1, 2].map(titleOn)).toEqual([clear, clear])
    await sweep(at.service.db, { now: at.service.clock.now(), retentionMs: 30 * day })
    expect(await settle()).toMatchObject({ rewritten: 0, unchanged: 0 })
  })

  it('are not looked at where the notable is about files that they do not change, or is neither blocking nor critical', async () => {
    await openTwo()
    await raise({ scope: { paths: ['src/bob.ts', 'docs/**'] } })
    expect(await settle()).toMatchObject({ rewritten: 1, unchanged: 0 })
    expect(titleOn(1)).toBe(clear)
    expect(titleOn(2)).toMatch(/^“Release freeze”/)
    await raise({ title: 'Mind', blocking: false, importance: 'high' })
    expect(await settle()).toMatchObject({ rewritten: 0, unchanged: 0 })
  })

  it('are marked by the files that the settings give to the area of a notable', async () => {
    await openTwo()
    await raise({ scope: { areas: ['Sign-in'] } })
    expect(await settle({ areas: { 'sign-in': ['src/al*.ts'] } })).toMatchObject({ rewritten: 1 })
    expect([1, 2].map((number) => titleOn(number)?.slice(0, 16))).toEqual(['“Release freeze”', clear.slice(0, 16)])
  })

  it('name both of two freezes, and then the one that is left', async () => {
    await openTwo()
    const { id } = await raise()
    await raise({ title: 'No deploys', importance: 'critical' })
    expect(await settle()).toMatchObject({ rewritten: 2 })
    expect(titleOn(1)).toMatch(/^“No deploys” until .* and 1 more · /)
    await at.repository.post(`/notables/${id}/archive`)
    await settle()
    expect(titleOn(1)).toMatch(/^“No deploys” until [^·]* UTC · No overlap/)
  })

  it('of a public repository do not publish what a notable about security is about', async () => {
    standIn().private = false
    await openTwo()
    await raise({ title: 'Tokens leak', category: 'security', scope: { paths: ['src/bob.ts'] } })
    expect(await settle()).toMatchObject({ rewritten: 1 })
    expect(titleOn(2)).toMatch(/^A notable about security until .* · No overlap/)
    expect(
      standIn()
        .checkRuns.map(({ title, summary }) => `${title} ${summary}`)
        .join(),
    ).not.toMatch(/leak|bob\.ts/)
  })

  it('are written after what pushes marked, the newest push first', async () => {
    for (const head of ['alice', 'bob', 'carla', 'dan']) await open(head)
    await settle()
    await raise()
    await startObserving(at.service).report()
    const { id } = await raise({ title: 'Another' })
    at.service.clock.advance(minute)
    await at.service.github.push(at.repository, 'bob', {}, { changed: [{ path: 'src/bob.ts', lines: [[1, 2]] }] })
    const requests = recordRequests(at.service)
    await settle()
    const numberOf = (target: string) => {
      const run = standIn().checkRuns.find(({ id: known }) => target.endsWith(`/check-runs/${known}`))
      const head = run?.headSha ?? standIn().checkRuns.at(-1)?.headSha
      return standIn().pulls.find(({ headSha }) => headSha === head)?.number
    }
    const written = requests().filter((target) => /\/check-runs(\/\d+)?$/.test(target))
    expect([...new Set(written.map(numberOf))]).toEqual([2, 4, 3, 1])
    expect(id).toBeDefined()
  })

  it.each(['off', 'shadow'] as const)('are not written with `%s`', async (how) => {
    await open('alice')
    const observing = startObserving(
      at.service,
      how === 'off' ? { settings: { pull_request_report: 'off' } } : { shadow: true },
    )
    await observing.read()
    await observing.report()
    await raise()
    expect(await observing.report()).toMatchObject(how === 'off' ? { skipped: 1 } : { would_rewrite: 1 })
    expect(standIn().checkRuns).toEqual([])
  })

  it('of a head from before the grant, or of a repository without the App, are not written', async () => {
    const elsewhere = at.service.newRepository(`${at.repository.owner}-without`)
    await elsewhere.raised({ blocking: true })
    at.installation.permissions = { metadata: 'read', contents: 'read', pull_requests: 'read' }
    await open('alice')
    await settle()
    at.service.clock.advance(minute)
    await at.service.github.acceptPermissions(at.installation)
    await raise()
    expect(await settle()).toMatchObject({ created: 0, rewritten: 0 })
    expect(standIn().checkRuns).toEqual([])
  })
})
