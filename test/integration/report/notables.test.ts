import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Settings } from '../../../src/settings/schema.ts'
import { day, hour, minute } from '../../support/clock.ts'
import { repositoryOf } from '../../support/github/data.ts'
import { faults } from '../../support/github/faults.ts'
import type { Opening } from '../../support/github/pull-actions.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { countingObserver, startObserving } from '../observed/observing.ts'
import { hookUp } from '../webhooks/recovery.ts'

let service: TestService
let repository: TestRepository
let owners = 0

beforeAll(async () => {
  service = await startTestService({ githubApp: true, observer: countingObserver(), writesReports: true })
  hookUp(service)
})
afterAll(() => service.stop())

// An owner each: the limits are those of an installation.
beforeEach(() => {
  service.github.heal()
  service.clock.advance(2 * hour)
  const owner = `freeze-${++owners}`
  repository = service.newRepository(owner)
  service.github.install(owner)
})

const standIn = () => repositoryOf(service.github.data, Number(repository.id))
/** The check run that GitHub shows on a pull request: the last one of its head. */
const runOn = (number: number) => {
  const head = standIn().pulls.find((pull) => pull.number === number)?.headSha
  return standIn().checkRuns.findLast(({ headSha }) => headSha === head)
}
const titleOn = (number: number) => runOn(number)?.title

function open(head: string, more: Partial<Opening> = {}) {
  service.clock.advance(minute)
  const files = [{ path: `src/${head}.ts`, lines: [[10, 20]] as const }]
  return service.github.openPullRequest(repository, { head, author: head, association: 'MEMBER', files, ...more })
}

async function settle(settings: Partial<Settings> = {}) {
  const observing = startObserving(service, { settings })
  await observing.read()
  return observing.report()
}

const inDays = (days: number) => new Date(service.clock.now().getTime() + days * day).toISOString()
/** As a title says it. */
const minuteOf = (at = '') => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
const raise = (body: object = {}) =>
  repository.raised({ title: 'Release freeze', category: 'process', blocking: true, applies_until: inDays(2), ...body })

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
    service.github.fail(faults.unicorn(), { path: /\/files/ })
    await open('bob')
    for (const wait of [0, 2 * minute, 5 * minute]) {
      service.clock.advance(wait)
      await settle()
    }
    expect(titleOn(2)).toMatch(/^“Release freeze” until .* UTC · Not compared: GitHub did not list the files$/)
  })
})
