import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { errorOf, refusal } from '../../support/client.ts'
import { query } from '../../support/query.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { collectingLog } from '../settings/collecting-log.ts'

const log = collectingLog()
let service: TestService
let name: string

beforeAll(async () => {
  service = await startTestService({ database: { log } })
  name = (await service.db.query<{ name: string }>('select current_database() as name')).rows[0]?.name ?? ''
})
afterAll(() => service.stop())
beforeEach(() => {
  log.lines.length = 0
})

const work = { title: 'T', summary: 'S', actor: 'A' }
const ready = async () => (await service.call('GET', '/readyz')).status
const messages = () => log.lines.map(({ message }) => message).filter((message) => message.includes('writes'))

/** Changes the sessions of the service, also those that are open. */
async function setReadOnly(isReadOnly: boolean) {
  await query(service.adminUrl, `alter database "${name}" set default_transaction_read_only = ${isReadOnly}`)
  await query(service.adminUrl, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  // The pool replaces the closed connections.
  await expect
    .poll(
      async () =>
        await service.db.query('select 1').then(
          () => true,
          () => false,
        ),
    )
    .toBe(true)
}

describe('a database that accepts no writes', () => {
  it('because it is read-only: /readyz is 503 from the first failed write on, until a write succeeds', async () => {
    const repository = service.newRepository()
    await setReadOnly(true)
    expect(await ready()).toBe(200)
    expect(refusal(await repository.post('/activity', work))).toEqual({ status: 503, code: 'unavailable' })
    expect((await repository.get('/activity')).status).toBe(200)
    const answer = await service.call('GET', '/readyz')
    expect(answer).toMatchObject({ status: 503, body: { error: { message: expect.stringContaining('writes') } } })
    expect(await ready()).toBe(503)
    await setReadOnly(false)
    expect(await ready()).toBe(200)
    expect((await repository.post('/activity', work)).status).toBe(201)
    expect(await ready()).toBe(200)
    expect(messages()).toEqual(['the database accepts no writes', 'the database accepts writes again'])
  })

  it('because its disk is full: /readyz is 503 from the first failed write on, until a write succeeds', async () => {
    const repository = service.newRepository()
    await service.db.query(
      `create function disk_full() returns trigger language plpgsql as
       $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`,
    )
    for (const table of ['activities', 'service_facts']) {
      await service.db.query(
        `create trigger full_disk before insert or update on ${table} execute function disk_full()`,
      )
    }
    expect(await ready()).toBe(200)
    const refused = await repository.post('/activity', work)
    expect(refusal(refused)).toEqual({ status: 503, code: 'unavailable' })
    expect(errorOf(refused).message).toContain('accepts no writes')
    expect(await ready()).toBe(503)
    for (const table of ['activities', 'service_facts']) {
      await service.db.query(`drop trigger full_disk on ${table}`)
    }
    expect(await ready()).toBe(200)
  })

  it('is not written to by probes while all is well', async () => {
    await ready()
    const { rows } = await service.db.query(`select name from service_facts where name = 'write_check'`)
    expect(rows).toHaveLength(1)
    await service.db.query(`delete from service_facts where name = 'write_check'`)
    expect(await ready()).toBe(200)
    expect((await service.db.query(`select name from service_facts where name = 'write_check'`)).rows).toEqual([])
  })
})

it('a database that needs a newer version: /readyz is 503 and names it, and nothing else changes', async () => {
  const repository = service.newRepository()
  const needs = (version: string) =>
    service.db.query(
      `insert into service_facts values ('least_version', to_jsonb($1::text), now())
       on conflict (name) do update set value = excluded.value`,
      [version],
    )
  expect(await ready()).toBe(200)
  await needs('99.1.0')
  const answer = await service.call('GET', '/readyz')
  expect(answer).toMatchObject({ status: 503, body: { error: { message: expect.stringContaining('Headsup 99.1.0') } } })
  expect((await repository.get('/activity')).status).toBe(200)
  await needs('0.1.0')
  expect(await ready()).toBe(200)
})
