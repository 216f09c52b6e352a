import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { repositoryOf } from '../../support/github/data.ts'
import { type Fault, faults } from '../../support/github/faults.ts'
import type { Reply } from '../../support/github/route.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { startSyncing } from '../observed/observing.ts'
import { read, record, recordRequests } from './recovery.ts'

let service: TestService
let syncing: ReturnType<typeof startSyncing>
let repository: TestRepository

beforeEach(async () => {
  await service?.stop()
  service = await startTestService({ githubApp: true })
  service.github.install('acme')
  repository = service.newRepository()
  syncing = startSyncing(service)
})
afterAll(() => service.stop())

const pass = () => syncing.pass()
const branches = () => repositoryOf(service.github.data, Number(repository.id)).branches
/** The answer of the stand-in, but for this. */
const changed = (facts: Partial<Reply>): Fault => ({ kind: 'change', change: (reply) => ({ ...reply, ...facts }) })
const heads = { path: /matching-refs/ }

/** More than fit into one answer, as GitHub gives them: some 400 bytes each. */
function addMany(count: number) {
  const sha = branches().get('main') ?? ''
  for (let n = 0; n < count; n++) branches().set(`release/long-since-forgotten-${n}`, sha)
}

async function workOn(names: string[]) {
  const ids = []
  for (const branch of names) {
    ids.push(await record(repository, { branch }))
    await service.github.push(repository, branch)
  }
  return ids
}

describe('a repository with more branches than fit into one response', () => {
  it('has the branches of its work requested one by one', async () => {
    addMany(6_000)
    const [gone, stays] = await workOn(['feat/with#1', 'stays'])
    await record(repository, { branch: 'never-pushed' })
    const asked = recordRequests(service)
    expect(await pass()).toMatchObject({ repositories: 1, failed: 0, branch_deleted: 0 })
    expect(asked().filter((path) => path.includes('/git/ref/'))).toHaveLength(3)
    await service.github.deleteBranch(repository, 'feat/with#1')
    expect(await pass()).toMatchObject({ repositories: 1, branch_deleted: 1 })
    expect(await read(repository, gone ?? '')).toMatchObject({ archived_reason: 'branch_deleted' })
    expect(await read(repository, stays ?? '')).toMatchObject({ status: 'active' })
  })

  it('has all branches requested page by page if many have work', async () => {
    const names = Array.from({ length: 51 }, (_, n) => `feat-${n}`)
    const ids = await workOn(names)
    addMany(200)
    service.github.fail(faults.reset(), heads)
    const asked = recordRequests(service)
    expect(await pass()).toMatchObject({ repositories: 1, failed: 0 })
    expect(asked().filter((path) => path.includes('/git/ref/'))).toEqual([])
    expect(asked().filter((path) => path.includes('/branches?'))).toHaveLength(3)
    await service.github.deleteBranch(repository, 'feat-50')
    expect(await pass()).toMatchObject({ repositories: 1, branch_deleted: 1 })
    expect(await read(repository, ids[50] ?? '')).toMatchObject({ archived_reason: 'branch_deleted' })
  })

  it('keeps a branch that a deletion moved between two pages', async () => {
    await workOn(Array.from({ length: 51 }, (_, n) => `feat-${n}`))
    await pass()
    service.github.fail(faults.unicorn(502), heads)
    service.github.fail(changed({ body: [] }), { path: /\/branches\?/ })
    const asked = recordRequests(service)
    expect(await pass()).toMatchObject({ repositories: 1, branch_deleted: 0 })
    expect(asked().filter((path) => path.includes('/branches?'))).toHaveLength(1)
  })
})

describe('a list of branches', () => {
  it('that times out is replaced by smaller requests', async () => {
    const [id] = await workOn(['feat'])
    await pass()
    await service.github.deleteBranch(repository, 'feat')
    service.github.fail(faults.unicorn(502), heads)
    expect(await pass()).toMatchObject({ failed: 0, branch_deleted: 1 })
    expect(await read(repository, id ?? '')).toMatchObject({ archived_reason: 'branch_deleted' })
  })

  it('with a next page is incomplete', async () => {
    const [id] = await workOn(['feat'])
    await pass()
    await service.github.push(repository, 'other')
    service.github.fail(changed({ headers: { link: '<https://github.example/next>; rel="next"' }, body: [] }), heads)
    expect(await pass()).toMatchObject({ repositories: 1, branch_deleted: 0 })
    await service.github.deleteBranch(repository, 'feat')
    expect(await pass()).toMatchObject({ repositories: 1, branch_deleted: 1 })
    expect(await read(repository, id ?? '')).toMatchObject({ archived_reason: 'branch_deleted' })
  })

  it('of a repository that is hidden meanwhile archives nothing', async () => {
    await workOn(['feat'])
    await pass()
    const hide = (reply: Reply) => {
      service.github.data.repositories.delete(Number(repository.id))
      return { ...reply, status: 502 }
    }
    service.github.fail({ kind: 'change', change: hide }, heads)
    expect(await pass()).toMatchObject({ not_visible: 1, branch_deleted: 0 })
    const { rows } = await service.db.query('select status from activities')
    expect(rows).toEqual([{ status: 'active' }])
  })

  it('whose smaller requests are refused archives nothing', async () => {
    const id = await record(repository)
    service.github.fail(faults.unicorn(502), heads)
    const heal = service.github.fail(changed({ status: 403, body: { message: 'no' } }), { path: /\/git\/ref\// })
    expect(await pass()).toMatchObject({ not_visible: 1 })
    heal()
    for (let passes = 0; passes < 2; passes++) expect(await pass()).toMatchObject({ branch_deleted: 0, failed: 0 })
    expect(await read(repository, id)).toMatchObject({ status: 'active' })
  })

  it('of a repository without a commit is no failure', async () => {
    await record(repository)
    service.github.fail(changed({ status: 409, body: { message: 'Git Repository is empty.' } }), heads)
    expect(await pass()).toMatchObject({ repositories: 1, failed: 0, branch_deleted: 0 })
  })
})
