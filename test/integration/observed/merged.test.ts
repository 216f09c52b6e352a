import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { hour, minute } from '../../support/clock.ts'
import { deliver } from '../../support/deliveries.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { hookUp, read, record } from '../webhooks/recovery.ts'
import { countingObserver, observedIn, pullRequestRow, startObserving, startSyncing } from './observing.ts'

let service: TestService
let repository: TestRepository
let observing: ReturnType<typeof startObserving>

async function start(callers?: object) {
  await service?.stop()
  service = await startTestService({ githubApp: true, observer: countingObserver(), ...(callers ? { callers } : {}) })
  service.github.install('acme')
  repository = service.newRepository()
  observing = startObserving(service)
}
beforeEach(() => start())
afterAll(() => service.stop())

const open = () =>
  service.github.openPullRequest(repository, { head: 'feat', files: [{ path: 'src/a.ts', lines: [[3, 5]] }] })
const merge = async () => {
  service.clock.advance(minute)
  await service.github.mergePullRequest(repository, 1)
}
/** A list, which wakes a reading with the token of its caller, and the end of that. */
async function askAsCaller() {
  await repository.get('/activity')
  await service.callers?.idle()
}

interface Way {
  callers?: object
  isObserved: boolean
  /** What happens while the pull request is open. */
  before(): Promise<unknown>
  /** The pull request is merged, and the service learns of it. */
  learn(): Promise<unknown>
}

/** The ways in which the service learns of a merge. */
const ways: Record<string, Way> = {
  'a webhook': {
    isObserved: true,
    before: () => observing.all(),
    async learn() {
      hookUp(service)
      await merge()
    },
  },
  'the list of updated pull requests': {
    isObserved: true,
    before: () => observing.all(),
    async learn() {
      await merge()
      service.clock.advance(hour)
      await observing.list()
    },
  },
  'a single read of a pull request whose files are to be read': {
    isObserved: true,
    before: () => observing.list(),
    async learn() {
      await merge()
      const reply = { status: 404, body: { message: 'Not Found' } }
      service.github.fail({ kind: 'reply', reply }, { path: /\/pulls\/1\/files/ })
      await observing.read()
    },
  },
  'a single read of a pull request that a list lacks': {
    isObserved: true,
    before: () => observing.all(),
    async learn() {
      await merge()
      service.clock.advance(hour)
      await service.db.query('update observed_repositories set walked_at = null')
      service.github.fail({ kind: 'reply', reply: { status: 200, body: [] } }, { path: /\/pulls\?/ })
      await observing.list()
    },
  },
  'a reading with the token of a caller': {
    callers: { times: { waitMs: 60_000, tokenMs: 60_000 } },
    isObserved: true,
    before: askAsCaller,
    async learn() {
      await merge()
      await askAsCaller()
    },
  },
  'the list of a repository where nothing is observed': {
    isObserved: false,
    before: () => startSyncing(service).pass(),
    async learn() {
      await merge()
      await startSyncing(service).pass()
    },
  },
}

describe('a merge ends the same work with the same reason, learned by', () => {
  it.each(Object.entries(ways))('%s', async (_name, { callers, isObserved, before, learn }) => {
    if (callers) await start(callers)
    const { owner, name } = repository
    const pr_url = `https://github.com/${owner}/${name}/pull/1`
    const elsewhere = service.newRepository()
    service.github.allow(repository, elsewhere.writer)
    await open()
    const onBranch = await record(repository)
    const linked = await record(repository, { branch: null, pr_url })
    const linkedElsewhere = await record(elsewhere, { branch: null, pr_url })
    const stays = [
      await record(repository, { branch: 'other' }),
      await record(repository, { base_branch: 'release' }),
      await record(elsewhere),
    ]
    await before()
    await learn()
    const isMerged = { status: 'archived', archived_reason: 'merged' }
    expect(await read(repository, onBranch)).toMatchObject(isMerged)
    expect(await read(repository, linked)).toMatchObject(isMerged)
    expect(await read(elsewhere, linkedElsewhere)).toMatchObject(isMerged)
    const where = [repository, repository, elsewhere]
    for (const [n, id] of stays.entries())
      expect(await read(where[n] ?? repository, id)).toMatchObject({ archived_reason: null })
    const observed = await observedIn(service, repository)
    expect(observed.map(({ archived_reason }) => archived_reason)).toEqual(isObserved ? ['merged'] : [])
    expect((await pullRequestRow(service, repository, 1))?.state).toBe(isObserved ? 'merged' : undefined)
  })
})

describe('a merge that is learned twice', () => {
  const historyOf = async (id: string) => (await repository.get(`/activity/${id}/history`)).body
  const deliverMerge = async () => {
    const { data } = service.github
    const sent = data.deliveries.find(({ event, action }) => event === 'pull_request' && action === 'closed')
    const { event, request } = sent ?? expect.fail('no delivery')
    await deliver(service, event, request.text, { secret: data.app.webhookSecret })
  }
  const orders = {
    'by a webhook, and then by a list': [deliverMerge, () => observing.list()],
    'by a list, and then by a webhook': [() => observing.list(), deliverMerge],
  }

  it.each(Object.entries(orders))('%s, archives once', async (_name, [first, second]) => {
    await open()
    const id = await record(repository)
    await observing.all()
    // Where nobody listens: the stand-in keeps what it could not deliver.
    service.github.data.app.hookUrl = 'http://127.0.0.1:9'
    await merge()
    service.clock.advance(hour)
    await first?.()
    const once = [await read(repository, id), await historyOf(id), await observedIn(service, repository)]
    expect(once[0]).toMatchObject({ archived_reason: 'merged' })
    service.clock.advance(hour)
    await second?.()
    expect([await read(repository, id), await historyOf(id), await observedIn(service, repository)]).toEqual(once)
  })

  it('archives work that was linked to it in between', async () => {
    await open()
    await observing.all()
    service.github.data.app.hookUrl = 'http://127.0.0.1:9'
    await merge()
    service.clock.advance(hour)
    await observing.list()
    const { owner, name } = repository
    const id = await record(repository, { branch: null, pr_url: `https://github.com/${owner}/${name}/pull/1` })
    await deliverMerge()
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'merged' })
  })
})

describe('a merge from a branch that the settings ignore', () => {
  it('archives recorded work, found by a list', async () => {
    const id = await record(repository)
    await open()
    const ignoring = startSyncing(service, { settings: { ignored_branches: ['feat'] } })
    await ignoring.pass()
    await merge()
    expect(await ignoring.pass()).toMatchObject({ merged: 1 })
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'merged' })
    expect(await observedIn(service, repository)).toEqual([])
  })
})
