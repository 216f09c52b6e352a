import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { GithubApp } from '../../../src/service/github/installation/app-client.ts'
import type { Log } from '../../../src/service/lib/log.ts'
import type { Settings } from '../../../src/service/records/settings/schema.ts'
import { hour, minute } from '../../support/clock.ts'
import { type Installation, repositoryOf } from '../../support/github/data.ts'
import type { Opening } from '../../support/github/pull-actions.ts'
import { silentLog } from '../../support/log.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { countingObserver, startObserving } from '../observed/observing.ts'
import { appOf, hookUp } from '../webhooks/recovery.ts'

export const readOnly = { metadata: 'read', contents: 'read', pull_requests: 'read' } as const

/** A service that writes check runs, and for each test an empty repository of a new owner. Called once in a file. */
export function useReports() {
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

  return {
    get service() {
      return service
    },
    get repository() {
      return repository
    },
    set repository(other) {
      repository = other
    },
    get installation() {
      return installation
    },
    get app() {
      return app
    },
    ...{ standIn, runs, titles, runOn, titleOn, openNow, open, push, settle, reportState },
  }
}
