import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { GithubApp } from '../../../src/service/github/installation/app-client.ts'
import { hour, minute } from '../../support/clock.ts'
import { repositoryOf } from '../../support/github/data.ts'
import { faults } from '../../support/github/faults.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { nothingSynced, startSyncing } from '../observed/observing.ts'
import { appOf, meanwhile, read, record, recordRequests } from './recovery.ts'

let service: TestService
let syncing: ReturnType<typeof startSyncing>
let repository: TestRepository

// One each: a pass is over all repositories. Nothing is delivered: the stand-in is told of no hook.
beforeEach(async () => {
  await service?.stop()
  service = await startTestService({ githubApp: true })
  service.github.install('acme')
  repository = service.newRepository()
  syncing = startSyncing(service)
})
afterAll(() => service.stop())

const pass = (as?: GithubApp) => syncing.pass(as)
/** The newest of an installation: the service's own, for settings, is older. */
const lastToken = () =>
  [...service.github.data.tokens.values()].findLast(({ installationId }) => installationId !== null) ?? expect.fail()

/** Without those that look for installations and their repositories. */
const ofRepositories = (paths: string[]) => paths.filter((path) => !/installation/.test(path))

async function mergeAway(of = repository, head = 'feat', base = 'main') {
  const { number } = await service.github.openPullRequest(of, { head, base })
  service.clock.advance(minute)
  await service.github.mergePullRequest(of, number)
  return number
}

const linkTo = ({ owner, name }: TestRepository, number: number) => ({
  branch: null,
  pr_url: `https://github.com/${owner}/${name}/pull/${number}`,
})

describe('a pull request whose merge was not delivered', () => {
  it('archives the work on its branch', async () => {
    const id = await record(repository)
    await mergeAway()
    expect(await pass()).toEqual({ ...nothingSynced, repositories: 1, merged: 1 })
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'merged' })
  })

  it('archives the work that is linked to it, also if it was merged before an earlier pass', async () => {
    const first = await record(repository, { branch: 'one' })
    await mergeAway(repository, 'one')
    await pass()
    service.clock.advance(hour)
    const { number } = await service.github.openPullRequest(repository, { head: 'two' })
    const second = await record(repository, linkTo(repository, number))
    await service.github.mergePullRequest(repository, number)
    expect(await pass()).toMatchObject({ merged: 1 })
    for (const id of [first, second]) expect(await read(repository, id)).toMatchObject({ archived_reason: 'merged' })
  })

  it('in another repository archives the work that is linked to it', async () => {
    const other = service.newRepository()
    service.github.allow(other, repository.writer)
    const { number } = await service.github.openPullRequest(other, { head: 'over-there' })
    const id = await record(repository, linkTo(other, number))
    await service.github.mergePullRequest(other, number)
    expect(await pass()).toMatchObject({ repositories: 2, merged: 1 })
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'merged' })
  })

  it('archives the work as merged if its branch was deleted too', async () => {
    const id = await record(repository)
    const { number } = await service.github.openPullRequest(repository, { head: 'feat' })
    await pass()
    await service.github.mergePullRequest(repository, number, { deleteBranch: true })
    expect(await pass()).toMatchObject({ merged: 1, branch_deleted: 0 })
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'merged' })
  })

  it('of a fork, of the default branch, into another base or without merging archives nothing', async () => {
    const ids = [await record(repository), await record(repository, { branch: 'main' })]
    ids.push(await record(repository, { branch: 'stacked', base_branch: 'feat' }))
    const fork = service.newRepository('forker')
    const forked = await service.github.openPullRequest(repository, { head: 'feat', from: fork })
    await service.github.mergePullRequest(repository, forked.number)
    await mergeAway(repository, 'main', 'release')
    await mergeAway(repository, 'stacked')
    const { number } = await service.github.openPullRequest(repository, { head: 'feat' })
    await service.github.closePullRequest(repository, number)
    expect(await pass()).toMatchObject({ merged: 0 })
    for (const id of ids) expect(await read(repository, id)).toMatchObject({ status: 'active' })
  })

  it('leaves work that was created on the branch after it', async () => {
    await record(repository, { branch: 'other' })
    await mergeAway()
    service.clock.advance(minute)
    const id = await record(repository)
    expect(await pass()).toMatchObject({ merged: 0 })
    expect(await read(repository, id)).toMatchObject({ status: 'active' })
  })

  it('is found on every page', async () => {
    const id = await record(repository, { branch: 'feat-0' })
    for (let n = 0; n < 45; n++) {
      service.clock.advance(1_000)
      await mergeAway(repository, `feat-${n}`)
    }
    expect(await pass()).toMatchObject({ merged: 1 })
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'merged' })
  })

  it('is listed back to the last pass only', async () => {
    await record(repository, { branch: 'other' })
    for (let n = 0; n < 45; n++) await mergeAway(repository, `feat-${n}`)
    await pass()
    service.clock.advance(hour)
    await mergeAway(repository, 'later')
    const asked = recordRequests(service)
    await pass()
    expect(asked().filter((path) => path.includes('/pulls?'))).toHaveLength(1)
  })
})

describe('a branch', () => {
  const world = () => repositoryOf(service.github.data, Number(repository.id))

  it('that existed before and was deleted archives its work', async () => {
    const [id, other] = [await record(repository), await record(repository, { branch: 'stays' })]
    await service.github.push(repository, 'feat')
    await service.github.push(repository, 'stays')
    expect(await pass()).toMatchObject({ branch_deleted: 0 })
    await service.github.deleteBranch(repository, 'feat')
    service.clock.advance(hour)
    expect(await pass()).toEqual({ ...nothingSynced, repositories: 1, branch_deleted: 1 })
    const archived_at = service.clock.now().toISOString()
    const archived = { status: 'archived', archived_reason: 'branch_deleted', archived_at, updated_at: archived_at }
    expect(await read(repository, id)).toMatchObject(archived)
    expect(await read(repository, other)).toMatchObject({ status: 'active' })
  })

  it('that was never pushed is not archived', async () => {
    const id = await record(repository)
    for (let passes = 0; passes < 3; passes++) {
      await service.github.push(repository, `other-${passes}`)
      await pass()
    }
    expect(await read(repository, id)).toMatchObject({ status: 'active' })
  })

  it('that is pushed after a pass is seen by the next one', async () => {
    const id = await record(repository)
    await pass()
    await service.github.push(repository, 'feat')
    await pass()
    await service.github.deleteBranch(repository, 'feat')
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'branch_deleted' })
  })

  it('that existed before its work is seen, although no branch has changed', async () => {
    await record(repository)
    await service.github.push(repository, 'older')
    await pass()
    const id = await record(repository, { branch: 'older' })
    await pass()
    await service.github.deleteBranch(repository, 'older')
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'branch_deleted' })
  })

  it('that was deleted once does not archive later work on its name', async () => {
    await record(repository)
    await service.github.push(repository, 'feat')
    await pass()
    await service.github.deleteBranch(repository, 'feat')
    const later = await record(repository)
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
    expect(await read(repository, later)).toMatchObject({ status: 'active' })
    await service.github.push(repository, 'feat')
    await pass()
    await service.github.deleteBranch(repository, 'feat')
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
    expect(await read(repository, later)).toMatchObject({ archived_reason: 'branch_deleted' })
  })

  it('that work was moved to is checked instead of the old one', async () => {
    const id = await record(repository)
    await service.github.push(repository, 'feat')
    await pass()
    await repository.patch(`/activity/${id}`, { branch: 'planned' })
    await service.github.push(repository, 'other')
    expect(await pass()).toMatchObject({ branch_deleted: 0 })
    expect(await pass()).toMatchObject({ branch_deleted: 0 })
    expect(await read(repository, id)).toMatchObject({ status: 'active' })
  })

  it('is not deleted if another repository has taken the name', async () => {
    const id = await record(repository)
    await service.github.push(repository, 'feat')
    await pass()
    await service.github.renameRepository(repository, `${repository.name}-renamed`)
    service.github.addRepository(repository.name)
    expect(await pass()).toMatchObject({ repositories: 0, failed: 1 })
    const { rows } = await service.db.query('select status from activities where id = $1', [id])
    expect(rows).toEqual([{ status: 'active' }])
  })

  it('is found under the new name of its repository', async () => {
    await record(repository)
    await service.github.push(repository, 'feat')
    await pass()
    await service.github.renameRepository(repository, `${repository.name}-renamed`)
    await pass()
    const { rows } = await service.db.query('select name from repositories where repository_id = $1', [repository.id])
    expect(rows).toEqual([{ name: `${repository.name}-renamed` }])
    await service.github.deleteBranch(repository, 'feat')
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
  })

  it('of work that is created during the requests is left for the next pass', async () => {
    await record(repository, { branch: 'old' })
    await service.github.push(repository, 'old')
    service.github.fail(
      {
        kind: 'delay',
        ms: 300,
      },
      { path: /matching-refs/ },
    )
    const passing = pass()
    const id = await record(repository)
    await passing
    service.github.heal()
    expect(await read(repository, id)).toMatchObject({ status: 'active' })
    expect(world().branches.has('feat')).toBe(false)
    await pass()
    expect(await read(repository, id)).toMatchObject({ status: 'active' })
  })
})

describe('a pass', () => {
  it('sends no request for repositories without live work on a branch', async () => {
    const id = await record(repository)
    await repository.post(`/activity/${id}/archive`)
    await repository.raised()
    await record(service.newRepository(), { branch: null })
    const asked = recordRequests(service)
    expect(await pass()).toMatchObject({ failed: 0, branch_deleted: 0 })
    expect(ofRepositories(asked())).toEqual([])
  })

  it('sends three requests per repository, and only conditional ones that GitHub does not count in the next pass', async () => {
    await record(repository, { branch: 'expires' })
    service.clock.advance(25 * hour)
    const archived = await record(repository)
    await repository.post(`/activity/${archived}/archive`)
    for (let n = 0; n < 30; n++) await record(repository, { branch: `feat-${n}` })
    await record(repository, { branch: null })
    await service.github.push(repository, 'feat-1')
    const first = recordRequests(service)
    await pass()
    expect(ofRepositories(first())).toHaveLength(3)
    const token = lastToken()
    const { used } = token.limit
    // And one for the list of the repositories.
    expect(used).toBe(4)
    await record(service.newRepository('elsewhere'))
    const second = recordRequests(service)
    expect(await pass()).toMatchObject({ repositories: 1, not_visible: 0, failed: 0 })
    expect(ofRepositories(second())).toHaveLength(3)
    expect(token.limit.used).toBe(used)
    await pass()
    expect(token.limit.used).toBe(used)
  })

  it('does not run twice at the same time', async () => {
    await record(repository)
    const asked = recordRequests(service)
    const others: unknown[] = []
    const app = meanwhile(syncing.app, '/pulls', async () => {
      others.push(await startSyncing(service).pass(), await startSyncing(service).pass())
    })
    expect(await pass(app)).toMatchObject({ repositories: 1 })
    expect(others).toEqual([nothingSynced, nothingSynced])
    expect(asked().filter((path) => path.includes('/pulls?'))).toHaveLength(1)
  })

  it('continues after a repository that fails, and after one without the App', async () => {
    await record(service.newRepository('elsewhere'))
    const [before, failing, after] = [repository, service.newRepository(), service.newRepository()]
    for (const one of [before, failing, after]) await record(one).then(() => mergeAway(one))
    service.github.fail(faults.nonsense(), { path: `/repos/${failing.owner}/${failing.name}/pulls` })
    expect(await pass()).toEqual({ ...nothingSynced, repositories: 2, merged: 2, failed: 1 })
    service.github.heal()
    expect(await pass()).toMatchObject({ repositories: 3, merged: 1, failed: 0 })
  })

  it.each([
    ['spent', faults.primaryLimit()],
    ['of the secondary kind', faults.secondaryLimit(120)],
  ])('pauses for an owner while its rate limit is %s', async (_name, fault) => {
    const second = service.newRepository()
    const elsewhere = service.newRepository('elsewhere')
    service.github.install('elsewhere')
    for (const one of [repository, second, elsewhere]) await record(one)
    service.github.fail(fault, { path: /repos\/acme\/[^/]+$/, times: 1 })
    await pass()
    const asked = recordRequests(service)
    expect(await pass()).toMatchObject({ repositories: 1, paused: 2 })
    expect(asked().filter((path) => path.includes('/acme/'))).toEqual([])
  })

  it('resumes once the rate limit is over', async () => {
    await record(repository)
    service.github.fail(faults.secondaryLimit(120), { path: /repos\/acme\/[^/]+$/, times: 1 })
    expect(await pass()).toMatchObject({ paused: 1 })
    service.clock.advance(120_000 - 1)
    expect(await pass()).toMatchObject({ paused: 1 })
    service.clock.advance(1)
    expect(await pass()).toMatchObject({ repositories: 1, paused: 0 })
  })

  it('leaves a reserve of the rate limit, until it is reset', async () => {
    await record(repository)
    await mergeAway()
    const app = appOf(service)
    await app.requestForRepository({ owner: repository.owner, repo: repository.name }, { route: 'GET /rate_limit' })
    const token = lastToken()
    token.limit.used = 3_999
    expect(await pass(app)).toMatchObject({ paused: 1, merged: 0 })
    expect(token.limit.used).toBe(4_000)
    service.clock.advance(hour)
    expect(await pass(app)).toMatchObject({ paused: 0, merged: 1 })
  })

  it('that is stopped leaves the rest for the next one', async () => {
    await record(repository)
    await mergeAway()
    expect(await startSyncing(service, { signal: AbortSignal.abort() }).pass()).toMatchObject({
      repositories: 0,
      merged: 0,
    })
    expect(await pass()).toMatchObject({ merged: 1 })
  })
})
