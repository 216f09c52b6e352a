import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { GithubApp } from '../../../src/service/github/installation/app-client.ts'
import { findUnreadRepositories } from '../../../src/service/github/pulls/unread.sql.ts'
import { hour, minute } from '../../support/clock.ts'
import { repositoryOf } from '../../support/github/data.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { appOf, hookUp } from '../webhooks/recovery.ts'
import { countingObserver, startObserving } from './observing.ts'

let service: TestService
let owners = 0

beforeAll(async () => {
  service = await startTestService({ githubApp: true, observer: countingObserver(), writesReports: true })
  hookUp(service)
})
afterAll(() => service.stop())
beforeEach(() => service.clock.advance(2 * hour))

function newOwner(repositories: number): TestRepository[] {
  const owner = `reading-${++owners}`
  service.github.install(owner)
  return Array.from({ length: repositories }, () => service.newRepository(owner))
}

async function open(repository: TestRepository, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) {
    service.clock.advance(minute / 60)
    const files = [{ path: `src/head-${n}.ts`, lines: [[1, 2]] as const }]
    await service.github.openPullRequest(repository, { head: `head-${n}`, author: 'carol', files })
  }
}

/** An App that waits before it lists the files of this owner's pull requests. */
function slowFor(owner: string, wait: () => Promise<unknown>): GithubApp {
  const app = appOf(service)
  return {
    ...app,
    async requestForRepository(of, request) {
      if (of.owner === owner && request.route.endsWith('/files')) await wait()
      return app.requestForRepository(of, request)
    },
  }
}

it('a flood of pushes in the repositories of one owner keeps the reading of another waiting for one reading at most', async () => {
  const flooded = newOwner(10)
  const [other] = newOwner(1)
  if (!other) throw new Error('no repository')
  for (const repository of flooded) await open(repository, 2)
  await open(other, 1)
  const before = service.github.requests.length
  const observing = startObserving(service, { app: slowFor(flooded[0]?.owner ?? '', () => setTimeout(100)) })
  await observing.read()
  const read = service.github.requests.slice(before).filter((target) => target.includes('/files'))
  expect(read).toHaveLength(21)
  expect(read.findIndex((target) => target.includes(`/${other.owner}/`))).toBeLessThan(10)
})

it('the repositories of one owner fill no list of what is to be read', async () => {
  const flooded = newOwner(25)
  const [other] = newOwner(1)
  for (const repository of flooded) await open(repository, 1)
  if (other) await open(other, 1)
  const found = await findUnreadRepositories(service.db, service.clock.now(), [])
  expect(found.map(({ id }) => id)).toContain(other?.id)
  await startObserving(service).read()
})

it('a check run is due once the files of its pull request are read, however long others are read', async () => {
  const [flooded] = newOwner(1)
  const [other] = newOwner(1)
  if (!flooded || !other) throw new Error('no repository')
  await open(flooded, 2)
  await open(other, 1)
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const observing = startObserving(service, { app: slowFor(flooded.owner, () => released) })
  const reading = observing.read()
  await vi.waitFor(() => expect(observing.areReportsWoken()).toBe(true), { timeout: 20_000 }).finally(release)
  await observing.report()
  expect(repositoryOf(service.github.data, Number(other.id)).checkRuns).toHaveLength(1)
  await reading
})
