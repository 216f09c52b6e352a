import { randomUUID } from 'node:crypto'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../../src/service/db/migrate.ts'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { day } from '../../support/clock.ts'
import { deliver, pullRequestPayload, repositoryPayload, secret } from '../../support/deliveries.ts'
import { scratch } from '../../support/scratch.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

/**
 * What a next version may do to the schema while this one runs (docs/upgrading.md). Each migration changes one table: one
 * that locks two can deadlock with a request.
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
  'alter table observed_repositories add column mood text',
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

it('the service responds while a newer version adds to the schema, and afterwards', async () => {
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

function urlOf({ db }: TestService): string {
  return db.pool.options.connectionString ?? ''
}

async function newerMigrations(): Promise<string> {
  const directory = await scratch()
  await cp(fileURLToPath(new URL('../../../prisma/migrations', import.meta.url)), directory, { recursive: true })
  return directory
}

/** Sends every kind of request once, on existing connections: PostgreSQL caches their statements. */
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
