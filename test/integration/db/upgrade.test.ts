import { randomUUID } from 'node:crypto'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../../src/db/migrate.ts'
import { sweep } from '../../../src/jobs/sweep.ts'
import { day } from '../../support/clock.ts'
import { deliver, pullRequestPayload, repositoryPayload, secret } from '../../support/deliveries.ts'
import { scratch } from '../../support/scratch.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

/**
 * What versions may do to the schema while the one before still runs: docs/upgrading.md. One table at a time, since a
 * transaction that has locked one and waits for another may meet a request that has them the other way round.
 */
const additive = [
  'create table plans (repository_id bigint not null, id text not null, primary key (repository_id, id))',
  `alter table activities add column mood text, add column size integer not null default 1;
   alter table activities drop constraint activities_status_check, add constraint activities_status_check
     check (status in ('planned', 'active', 'paused', 'blocked', 'draft-pr-open', 'ready-for-review', 'merged', 'abandoned', 'archived', 'dreaming'));
   create index activities_mood_idx on activities (repository_id, mood)`,
  'alter table notables add column mood text',
  'alter table notable_scope_keys add column weight integer not null default 1',
  'alter table idempotency_keys add column mood text',
  'alter table repositories add column mood text',
  'alter table repository_settings add column mood text',
  'alter table branch_sightings add column mood text',
  'alter table scope_keys add column weight integer not null default 1',
  'alter table webhook_deliveries add column mood text',
]

let service: TestService
let repository: TestRepository

beforeAll(async () => {
  service = await startTestService({ githubApp: true, webhookSecret: secret })
  repository = service.newRepository()
})
afterAll(() => service.stop())

it('goes on serving while a newer version adds to the schema, and afterwards', async () => {
  await useEverything()
  let isMigrated = false
  let rounds = 0
  const using = (async () => {
    for (; !isMigrated || rounds === 0; rounds++) await useEverything()
  })()
  const migrationsDir = await newerMigrations()
  for (const [n, sql] of additive.entries()) {
    const name = `999901010000${String(n).padStart(2, '0')}_newer`
    await mkdir(join(migrationsDir, name))
    await writeFile(join(migrationsDir, name, 'migration.sql'), sql)
    expect(await migrate(urlOf(service), { migrationsDir })).toEqual({ applied: [name] })
  }
  isMigrated = true
  await using
  for (let round = 0; round < 3; round++) await useEverything()
  expect(await migrate(urlOf(service))).toEqual({ applied: [] })
})

it('finds what the version before wrote of a scope, and is found by it', async () => {
  const { pool } = service.db
  const [here, scope] = [service.newRepository(), { paths: ['lib/x/**'] }]
  const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', scope }
  const ids = [(await here.created('/activity', work)).activity.id, (await here.created('/activity', work)).activity.id]
  const [ours, theirs] = ids
  // As its statements do.
  await pool.query(`delete from scope_keys where repository_id = $1 and activity_id = $2`, [here.id, theirs])
  await pool.query(
    `insert into scope_keys (repository_id, state, kind, key, tail, activity_id)
     select repository_id, indexed, 'path', 'lib/x/', '', id from activities where repository_id = $1 and id = $2`,
    [here.id, theirs],
  )
  const found = async () => (await here.check({ scope })).related_activity_ids.toSorted()
  const foundBefore = `select distinct activity_id from scope_keys
    where repository_id = $1 and state = any('{live,ended}') and kind = 'path' and key = any('{"",lib/,lib/x/}') order by 1`
  expect(await found()).toEqual(ids.toSorted())
  expect((await pool.query(foundBefore, [here.id])).rows).toEqual(
    ids.toSorted().map((activity_id) => ({ activity_id })),
  )
  expect(await here.patch(`/activity/${ours}`, { status: 'merged' })).toMatchObject({ status: 200 })
  await pool.query(
    `with ended as (
       select repository_id, id from activities
        where ended_at is not null and indexed = 'live' order by ended_at limit $1 for update skip locked),
     moved as (
       update scope_keys as entry set state = 'ended' from ended
        where entry.repository_id = ended.repository_id and entry.activity_id = ended.id)
     update activities as activity set indexed = 'ended'
       from ended where activity.repository_id = ended.repository_id and activity.id = ended.id`,
    [500],
  )
  expect(await found()).toEqual([theirs])
  expect((await here.check({ scope })).reuse_opportunities).toMatchObject([{ activity_id: ours }])
})

function urlOf({ db }: TestService): string {
  return db.pool.options.connectionString ?? ''
}

async function newerMigrations(): Promise<string> {
  const directory = await scratch()
  await cp(fileURLToPath(new URL('../../../prisma/migrations', import.meta.url)), directory, { recursive: true })
  return directory
}

/** Every verb once, by the connections that are there: on those PostgreSQL remembers how a statement looked. */
async function useEverything() {
  const scope = { areas: ['auth'], paths: ['src/auth'] }
  const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: `feat-${randomUUID()}`, scope }
  const headers = { 'idempotency-key': randomUUID() }
  for (const _ of ['first', 'replayed']) {
    expect(await repository.post('/activity', work, { headers })).toMatchObject({ status: 201 })
  }
  const { activity } = await repository.created('/activity', work)
  const { id } = await repository.raised({ scope })
  const path = `/activity/${activity.id}`
  const answers = [
    await repository.get(path),
    await repository.get(`/activity?branch=${work.branch}`),
    await repository.get('/activity?status=archived'),
    await repository.patch(path, { risk: 'high', scope: { paths: ['docs'] } }),
    await repository.post(`${path}/heartbeat`),
    await repository.post('/activity/check', { scope, branch: 'other', activity_id: activity.id }),
    await hear('push', { ref: `refs/heads/${work.branch}`, commits: [], repository: repositoryPayload(repository) }),
    await hear('pull_request', pullRequestPayload(repository, 'opened', { head: work.branch })),
    await hear('delete', { ref: work.branch, ref_type: 'branch', repository: repositoryPayload(repository) }),
    await repository.post(`${path}/archive`),
    await repository.get('/notables?area=auth'),
    await repository.get(`/notables/${id}`),
    await repository.patch(`/notables/${id}`, { importance: 'high' }),
    await repository.post(`/notables/${id}/archive`),
    await repository.get('/settings'),
  ]
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  service.clock.advance(2 * day)
  await sweep(service.db, { now: service.clock.now(), retentionMs: 30 * day })
}

function hear(event: string, payload: object) {
  return deliver(service, event, payload, { secret })
}
