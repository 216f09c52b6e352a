import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Activity } from '../../../src/service/db/generated/client.ts'
import { observeByApp } from '../../../src/service/observed/observe-by-app.sql.ts'
import { changeObservedRepository } from '../../../src/service/observed/observed-repositories-store.ts'
import type { Settings } from '../../../src/service/records/settings/schema.ts'
import { second } from '../../support/clock.ts'
import { deliver as deliverTo, repositoryPayload } from '../../support/deliveries.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { githubRepository } from '../settings/settings.ts'
import { hookUp, recordRequests } from '../webhooks/recovery.ts'
import { countingObserver, saveSettingsAsRead, startObserving } from './observing.ts'

export const settings = { observe: ['pull_requests', 'branches'] } satisfies Partial<Settings>

export const file = (path = 'src/a.ts', lines: [number, number][] = [[3, 5]]) => ({ path, lines })
export const commits = (count: number) => Array.from({ length: count }, () => ({}))

/** A service that observes branches, and for each test a repository that the App has listed, without work. Called once in a file. */
export function useBranches() {
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
    const listed = {
      listed_at: now,
      walked_at: now,
      completed_at: now,
      newest_updated_at: now,
      attributes_read_at: now,
    }
    await changeObservedRepository(service.db, id, listed)
    await saveSettingsAsRead(service, repository)
  })

  afterAll(() => service.stop())

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

  return {
    get service() {
      return service
    },
    get repository() {
      return repository
    },
    get observing() {
      return observing
    },
    ...{ push, open, records, live, last, branchRow, branchRequests, observed, deliver, pushPayload },
  }
}
