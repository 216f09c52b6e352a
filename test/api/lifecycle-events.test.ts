import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/service/db/prisma.ts'
import { inTransaction } from '../../src/service/db/retry.ts'
import type { PullFacts } from '../../src/service/github/pulls/pull-facts.ts'
import {
  archiveBranch,
  archiveMerged,
  followOpenPull,
  heartbeatBranch,
  relinkWork,
} from '../../src/service/records/events.ts'
import { defaultSettings } from '../../src/service/records/settings.ts'
import { age, day, hour, minute, query } from '../support/database.ts'
import { githubServerUrl } from '../support/github.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
let prisma: ReturnType<typeof openDatabase>['prisma']
beforeAll(async () => {
  service = await startTestService()
  prisma = openDatabase(service.databaseUrl).prisma
})
afterAll(async () => {
  await prisma.$disconnect()
  await service.stop()
})

const { values: settings } = defaultSettings({ activityTtlMs: day, notableTtlMs: day })

async function start(client: Client, body: object = {}): Promise<string> {
  return (await client.post('/activity', { ...work, branch: 'login', ...body })).body.activity.id
}
const read = async (client: Client, id: string) => (await client.get(`/activity/${id}`)).body
const repositoryOf = ({ repository }: Client) => ({ ...repository, id: BigInt(repository.id) })
const urlOf = ({ repository }: Client, number: number) =>
  `${githubServerUrl}/${repository.owner}/${repository.name}/pull/${number}`

/** GitHub's facts of an open pull request of the branch `login`. */
function factsOf(client: Client, number: number, changed: Partial<PullFacts> = {}) {
  const times = { opened_at: new Date(), github_updated_at: new Date(), updated_at: new Date() }
  const head = { head_branch: 'login', head_repository_id: BigInt(client.repository.id), head_sha: 'a'.repeat(40) }
  const facts = { number, is_open: true, is_draft: false, is_outsider: false, title: 'P', base_branch: 'main' }
  return { ...facts, ...head, ...times, repository_id: BigInt(client.repository.id), ...changed }
}

/** What a reading or an event does: it stores the facts, and then tells of them. */
function see(client: Client, facts: ReturnType<typeof factsOf>, isOpened = false) {
  const { repository_id, number } = facts
  const linking = { repository: repositoryOf(client), githubServerUrl, now: new Date() }
  return inTransaction(prisma, async (tx) => {
    const where = { repository_id_number: { repository_id, number } }
    await tx.pullRequest.upsert({ where, create: facts, update: facts })
    if (facts.is_open) await followOpenPull(tx, { ...linking, facts, isOpened })
    else await relinkWork(tx, { ...linking, facts })
  })
}

const merge = (client: Client, facts: Parameters<typeof archiveMerged>[1]['facts'], mergedAt = new Date()) =>
  inTransaction(prisma, (tx) =>
    archiveMerged(tx, { repository: repositoryOf(client), facts, mergedAt, now: new Date() }),
  )

const branchEvent = (client: Client, pushedAt: Date | null) => ({
  ...{ repository: repositoryOf(client), branch: 'login', pushedAt, now: new Date() },
})

it('§10 a merge archives the work with its number and on its branch, twice told or not', async () => {
  const client = clientOf(service)
  const [linked, onBranch] = [await start(client, { branch: 'x', pr_url: urlOf(client, 7) }), await start(client)]
  const others = [await start(client, { branch: 'y' }), await start(client, { pr_url: urlOf(client, 8) })]
  const elsewhere = clientOf(service)
  const foreign = await start(elsewhere, { pr_url: urlOf(elsewhere, 7) })
  await merge(client, factsOf(client, 7))
  const merged = await Promise.all([linked, onBranch].map((id) => read(client, id)))
  for (const one of merged)
    expect(one).toMatchObject({
      status: 'archived',
      archived_reason: 'merged',
      archived_by: null,
      updated_at: one.archived_at,
    })
  await merge(client, factsOf(client, 7))
  expect(await Promise.all([linked, onBranch].map((id) => read(client, id)))).toEqual(merged)
  for (const id of others) expect(await read(client, id)).toMatchObject({ status: 'active', archived_at: null })
  expect(await read(elsewhere, foreign)).toMatchObject({ status: 'active' })
})

it('§10 a merge of the default branch, or from a fork, archives by its number alone', async () => {
  const client = clientOf(service)
  const [main, branch] = [await start(client, { branch: 'main' }), await start(client)]
  await merge(client, factsOf(client, 7, { head_branch: 'main' }))
  await merge(client, factsOf(client, 8, { head_repository_id: 1n }))
  for (const id of [main, branch]) expect(await read(client, id)).toMatchObject({ status: 'active' })
})

it('§10 a merge and the deletion of its branch at the same moment end as merged', async () => {
  for (let round = 0; round < 5; round++) {
    const client = clientOf(service)
    const ids = [await start(client), await start(client, { pr_url: urlOf(client, 7) }), await start(client)]
    await Promise.all([
      merge(client, factsOf(client, 7)),
      inTransaction(prisma, (tx) => archiveBranch(tx, branchEvent(client, new Date()))),
    ])
    for (const id of ids)
      expect(await read(client, id)).toMatchObject({ status: 'archived', archived_reason: 'merged' })
  }
})

it('§10 a deleted branch ends its live work, and is no base any more, where checks look for it too', async () => {
  const client = clientOf(service)
  const [on, upon] = [await start(client), await start(client, { branch: 'next', base_branch: 'login' })]
  const old = await start(client)
  await age(service.databaseUrl, old, 25 * hour)
  await inTransaction(prisma, (tx) => archiveBranch(tx, branchEvent(client, new Date())))
  expect(await read(client, on)).toMatchObject({ status: 'archived', archived_reason: 'branch_deleted' })
  expect(await read(client, old)).toMatchObject({ status: 'archived', archived_reason: 'expired' })
  expect(await read(client, upon)).toMatchObject({ status: 'active', base_branch: null })
  const keys = await query<{ key: string }>(service.databaseUrl, 'select key from places where activity_id = $1', [
    upon,
  ])
  expect(keys.map(({ key }) => key).join()).not.toContain('login')
})

it('§10 a push is a heartbeat of older live work, at its own time and never backwards', async () => {
  const client = clientOf(service)
  const [old, ended] = [await start(client), await start(client)]
  await client.post(`/activity/${ended}/archive`)
  for (const id of [old, ended]) await age(service.databaseUrl, id, 5 * hour)
  const young = await start(client)
  const push = (at: Date | null) =>
    inTransaction(prisma, (tx) => heartbeatBranch(tx, branchEvent(client, at), settings))
  const before = await read(client, old)
  const at = new Date(Date.now() - 2 * hour)
  await push(at)
  const beaten = await read(client, old)
  const moved = { heartbeat_at: at.toISOString(), expires_at: new Date(at.getTime() + day).toISOString() }
  expect(beaten).toEqual({ ...before, ...moved })
  await push(new Date(at.getTime() - hour))
  expect(await read(client, old)).toEqual(beaten)
  for (const id of [young, ended]) expect((await read(client, id)).heartbeat_at).toBeNull()
  // The clock of GitHub may be ahead.
  await push(new Date(Date.now() + day))
  expect(Date.parse((await read(client, old)).heartbeat_at)).toBeLessThan(Date.now() + minute)
})

it('§8 a seen pull request is linked to the work of its branch, and its draft state is followed', async () => {
  const client = clientOf(service)
  const [on, other] = [await start(client), await start(client, { branch: 'other' })]
  const linkedByHand = await start(client, { branch: 'x', pr_url: urlOf(client, 7) })
  await see(client, factsOf(client, 7, { is_draft: true }))
  const isLinked = { pr_url: urlOf(client, 7), draft_pr: true, status: 'draft-pr-open' }
  expect(await read(client, on)).toMatchObject(isLinked)
  expect(await read(client, linkedByHand)).toMatchObject({ draft_pr: true, status: 'active' })
  expect(await read(client, other)).toMatchObject({ pr_url: null })
  await see(client, factsOf(client, 7))
  expect(await read(client, on)).toMatchObject({ draft_pr: false, status: 'ready-for-review' })
  const after = await read(client, on)
  await see(client, factsOf(client, 7))
  expect(await read(client, on)).toEqual(after)
  await client.patch(`/activity/${on}`, { status: 'active' })
  await see(client, factsOf(client, 7))
  expect(await read(client, on)).toMatchObject({ status: 'active' })
  await see(client, factsOf(client, 7), true)
  expect(await read(client, on)).toMatchObject({ status: 'ready-for-review' })
})

it('§8 when its pull request closes, work gets the other open one of its branch, and keeps the link where there is none', async () => {
  const client = clientOf(service)
  const id = await start(client)
  await see(client, factsOf(client, 7))
  await see(client, factsOf(client, 8, { base_branch: 'develop' }))
  expect((await read(client, id)).pr_url).toBe(urlOf(client, 7))
  await see(client, factsOf(client, 7, { is_open: false }))
  expect((await read(client, id)).pr_url).toBe(urlOf(client, 8))
  await see(client, factsOf(client, 8, { is_open: false }))
  expect(await read(client, id)).toMatchObject({ pr_url: urlOf(client, 8), archived_at: null })
})

describe('§8 recorded work comes first', () => {
  async function pull(client: Client, number: number, changed: Partial<PullFacts> = {}) {
    await prisma.pullRequest.create({ data: factsOf(client, number, changed) })
    return urlOf(client, number)
  }
  const idOf = (answer: { body: { activity: { id: string } } }) => answer.body.activity.id

  it('a create and a PATCH get the newest open pull request of their branch, and active becomes its status once', async () => {
    const client = clientOf(service)
    await pull(client, 3)
    const url = await pull(client, 4, { is_draft: true })
    await pull(client, 5, { is_open: false })
    await pull(client, 6, { base_branch: 'develop' })
    const created = await client.post('/activity', { ...work, branch: 'login', base_branch: 'main' })
    expect(created.body.activity).toMatchObject({ pr_url: url, draft_pr: true, status: 'draft-pr-open' })
    const again = await client.patch(`/activity/${idOf(created)}`, { pr_url: null, status: 'active' })
    expect(again.body).toMatchObject({ pr_url: url, status: 'active' })
    const other = idOf(await client.post('/activity', work))
    const moved = await client.patch(`/activity/${other}`, { branch: 'login', base_branch: 'main' })
    expect(moved.body).toMatchObject({ pr_url: url, status: 'draft-pr-open' })
  })

  it('a closed link is replaced, an open or foreign one stays', async () => {
    const client = clientOf(service)
    const closed = await pull(client, 1, { is_open: false })
    const open = await pull(client, 2)
    const post = async (pr_url: string) =>
      (await client.post('/activity', { ...work, branch: 'login', pr_url })).body.activity.pr_url
    expect(await post(closed)).toBe(open)
    expect(await post(open)).toBe(open)
    expect(await post('https://github.com/acme/other/pull/1')).toBe('https://github.com/acme/other/pull/1')
  })

  it.each([
    ['of a fork of the account', { head_repository_id: 5n, head_owner: 'alice' }, true],
    ['of a fork of somebody else', { head_repository_id: 5n, head_owner: 'mallory' }, false],
    ['of a fork that is gone', { head_repository_id: null, head_owner: null }, false],
  ])('a pull request %s is linked: %s', async (_name, head, isLinked) => {
    const client = clientOf(service, { login: 'alice' })
    const url = await pull(client, 9, head)
    const created = await client.post('/activity', { ...work, branch: 'login' })
    expect(created.body.activity.pr_url).toBe(isLinked ? url : null)
  })

  it('the default branch is never linked, nor is ended work', async () => {
    const client = clientOf(service)
    await pull(client, 1, { head_branch: 'main' })
    const main = await client.post('/activity', { ...work, branch: 'main' })
    expect(main.body.activity.pr_url).toBeNull()
    const ended = idOf(await client.post('/activity', { ...work, branch: 'login' }))
    await client.post(`/activity/${ended}/archive`)
    await pull(client, 2)
    expect((await client.patch(`/activity/${ended}`, { title: 'T' })).body.pr_url).toBeNull()
  })
})
