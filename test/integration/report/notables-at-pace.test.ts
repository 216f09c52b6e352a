import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveWriteTimes } from '../../../src/service/report/write-times-store.ts'
import { hour, minute } from '../../support/clock.ts'
import { addRun, addSuite } from '../../support/github/check-data.ts'
import { repositoryOf } from '../../support/github/data.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { countingObserver, startObserving } from '../observed/observing.ts'
import { hookUp } from '../webhooks/recovery.ts'

/** How many check runs notables have had written in this hour, and how many more they may. */
const [written, left] = [190, 8]
/** More than are left. */
const pulls = left + 7

let service: TestService
let repository: TestRepository

beforeAll(async () => {
  service = await startTestService({ githubApp: true, observer: countingObserver(), writesReports: true })
  hookUp(service)
  repository = service.newRepository('frozen')
  service.github.install('frozen')
})
afterAll(() => service.stop())

const standIn = () => repositoryOf(service.github.data, Number(repository.id))
const frozen = () => standIn().checkRuns.filter(({ title }) => title?.startsWith('“Release freeze”'))
const titleOn = (number: number) => {
  const head = standIn().pulls.find((pull) => pull.number === number)?.headSha
  return standIn().checkRuns.findLast(({ headSha }) => headSha === head)?.title
}
const numbers = Array.from({ length: pulls }, (_, n) => n + 1)

/** A notable of another repository of the owner had some check runs written a minute ago. */
async function noteWrites() {
  const times = Array.from({ length: written }, () => service.clock.now().getTime() - minute)
  await saveWriteTimes(service.db, repository.owner, { all: times, forNotables: times })
}

/** All check runs as if they were written: writing them takes hours at the pace. */
async function wereWritten() {
  const { db, clock, github } = service
  const clear = { conclusion: 'success', title: 'No overlap with work in flight' } as const
  const rows = standIn().pulls.map(({ number, headSha }) => {
    const suite = addSuite(github.data, standIn(), headSha)
    const run = addRun(github.data, standIn(), { suite, name: 'Headsup', status: 'completed', ...clear })
    return {
      ...{ repository_id: repository.id, head_sha: headSha, number, shadow: false, check_run_id: BigInt(run.id) },
      ...{ ...clear, fresh_conclusion: clear.conclusion, fresh_title: clear.title, named: [], same_lines: [] },
      written_at: clock.now(),
    }
  })
  await db.prisma.pullRequestReport.createMany({ data: rows })
  await db.query('delete from report_marks where repository_id = $1', [repository.id])
  await db.query('update observed_repositories set suites_set_at = $2 where repository_id = $1', [
    repository.id,
    clock.now(),
  ])
}

const file = (name: string) => ({ path: `src/${name}.ts`, lines: [[10, 20]] as const })
/** In a row. */
const idleRuns = 7

/** Lets the jobs run until they have nothing to do for a minute. */
async function settle() {
  const sums = { created: 0, rewritten: 0, dropped: 0 }
  for (let idle = 0; idle < idleRuns; idle++) {
    const observing = startObserving(service)
    await observing.read()
    const { created = 0, rewritten = 0, dropped = 0 } = await observing.report()
    if (created + rewritten > 0) idle = -1
    sums.created += created
    sums.rewritten += rewritten
    sums.dropped += dropped
    service.clock.advance(10_000)
  }
  return sums
}

describe('a freeze over more open pull requests than are written in an hour', () => {
  let id: string

  beforeAll(async () => {
    for (const number of numbers) {
      service.clock.advance(minute)
      const head = `p${number}`
      await service.github.openPullRequest(repository, { head, author: 'alice', files: [file(head)] })
    }
    await startObserving(service).read()
    await wereWritten()
    service.clock.advance(hour)
    await noteWrites()
  })

  it('is written at most 200 times in an hour, newest push first', async () => {
    id = (await repository.raised({ title: 'Release freeze', blocking: true })).id
    const begun = service.clock.now().getTime()
    expect(await settle()).toEqual({ created: 0, rewritten: left, dropped: 0 })
    expect(service.clock.now().getTime() - begun).toBeLessThan(10 * minute)
    expect(numbers.filter((number) => titleOn(number)?.startsWith('“'))).toEqual(numbers.slice(-left))
  })

  it('keeps no push waiting', async () => {
    await service.github.push(repository, 'p1', {}, { changed: [file('p1')] })
    expect(await settle()).toEqual({ created: 1, rewritten: 0, dropped: 0 })
    expect(titleOn(1)).toMatch(/^“Release freeze”/)
  })

  it('is written as it is then: not at all where it was archived before', async () => {
    await repository.post(`/notables/${id}/archive`)
    service.clock.advance(hour)
    await noteWrites()
    expect(await settle()).toEqual({ created: 0, rewritten: left, dropped: 0 })
    service.clock.advance(hour)
    expect(await settle()).toEqual({ created: 0, rewritten: 1, dropped: 0 })
    expect(frozen()).toEqual([])
  })
})
