import type { PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Notable } from '../../../src/core/schemas/notable.ts'
import { UtcClient } from '../../../src/service/db/connect.ts'
import { type Database, isDatabaseUnavailable } from '../../../src/service/db/database.ts'
import { errorOf } from '../../support/client.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let repository: TestRepository
/** How many PostgreSQL has told of. */
let deadlocks = 0

beforeAll(async () => {
  // Connections of its own, to hear of each.
  service = await startTestService({ database: {} })
  service.db.pool.on('connect', (client) => countDeadlocks(client))
  await service.db.query(
    `do $$ begin execute format('alter database %I set deadlock_timeout = 50', current_database()); end $$`,
  )
})
beforeEach(() => {
  repository = service.newRepository()
})
afterAll(() => service.stop())

/** PostgreSQL reports a deadlock to the connection. The service retries it and reports nothing. */
function countDeadlocks(client: PoolClient): void {
  if (!(client instanceof UtcClient)) throw new Error('not a connection of ours')
  const { onStatement } = client
  client.onStatement = (statement) => {
    const { error } = statement
    if (error instanceof Error && 'code' in error && error.code === '40P01') deadlocks++
    onStatement(statement)
  }
}

/** Works in a transaction of the test's own that never looks for a circle: whoever waits for it does. */
async function beside<Result>(work: (client: PoolClient, pid: number) => Promise<Result>): Promise<Result> {
  const client = await service.db.pool.connect()
  try {
    await client.query('begin')
    await client.query(`set local deadlock_timeout = '20s'`)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return await work(client, rows[0]?.pid ?? 0)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Until a connection waits for that one: which. */
async function blockedBy(pid: number): Promise<number> {
  const blocked = 'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))'
  return await vi.waitFor(async () => {
    const { rows } = await service.db.query<{ pid: number }>(blocked, [pid])
    return rows[0]?.pid ?? expect.fail('nobody waits')
  }, 20_000)
}

/** What a request locks, in this order. */
interface Locks {
  first: string
  gate: string
  last: string
}

/** Holds the request at the gate while the test, which has the last lock, waits for the first; then lets it run into the circle. */
async function inCircle<Answer>({ first, gate, last }: Locks, request: () => Promise<Answer>): Promise<Answer> {
  deadlocks = 0
  const answer = await beside((other) =>
    beside(async (keeper, keeperPid) => {
      await other.query(last)
      await keeper.query(gate)
      const asked = request()
      const pid = await blockedBy(keeperPid)
      const wanted = other.query(first)
      await blockedBy(pid)
      await keeper.query('commit')
      expect((await wanted).rowCount).toBe(1)
      await other.query('commit')
      return asked
    }),
  )
  expect(deadlocks).toBeGreaterThan(0)
  return answer
}

const lockOf = (table: string, condition: string) => `select from ${table} where ${condition} for update`

const count = async (table: string) => {
  const { rows } = await service.db.query<{ count: number }>(
    `select count(*)::int as count from ${table} where repository_id = $1`,
    [repository.id],
  )
  return rows[0]?.count
}

const notable = { title: 'Newer', summary: 'It moved.', importance: 'low', category: 'warning' }
const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice' }

describe('a request that PostgreSQL ends to resolve a deadlock', () => {
  it.each([
    ['in a transaction, with a key', { 'Idempotency-Key': 'once' }],
    ['in a statement of its own, without one', {}],
  ])('creates its record all the same, and once: %s', async (_, headers) => {
    const raised = [await repository.raised(), await repository.raised(), await repository.raised()] as const
    const supersedes = raised.map(({ id }) => id)
    const [first, gate, last] = raised
    const row = ({ id }: Notable) => lockOf('notables', `id = '${id}'`)
    const create = () => repository.post('/notables', { ...notable, supersedes }, { headers })
    const answer = await inCircle({ first: row(first), gate: row(gate), last: row(last) }, create)
    expect(answer).toMatchObject({ status: 201, body: { supersedes } })
    expect(await count('notables')).toBe(4)
    for (const id of supersedes)
      expect((await repository.get(`/notables/${id}`)).body).toMatchObject({ status: 'archived' })
    if (!('Idempotency-Key' in headers)) return
    expect((await create()).body).toEqual(answer.body)
    expect(await count('notables')).toBe(4)
    expect(await count('idempotency_keys')).toBe(1)
  })

  it('is retried, and keeps concurrent changes of the record', async () => {
    const { id } = (await repository.created('/activity', { ...work, scope: { paths: ['a/**', 'b/**'] } })).activity
    const locks = {
      first: `update activities set summary = 'Meanwhile.' where id = '${id}'`,
      gate: lockOf('scope_keys', `activity_id = '${id}' and key = 'a/'`),
      last: lockOf('scope_keys', `activity_id = '${id}' and key = 'b/'`),
    }
    const answer = await inCircle(locks, () => repository.patch(`/activity/${id}`, { scope: { paths: ['c/**'] } }))
    expect(answer).toMatchObject({ status: 200, body: { summary: 'Meanwhile.', scope: { paths: ['c/**'] } } })
    expect((await repository.check({ scope: { paths: ['c/1'] } })).related_activity_ids).toEqual([id])
    expect((await repository.check({ scope: { paths: ['a/1'] } })).related_activity_ids).toEqual([])
  })
})

/** Lets PostgreSQL end every insert into the table that way, but for those after the first `times`; says how many were begun. */
async function ending({ pool }: Database, table: string, state: string, times: number) {
  await pool.query(`
    create sequence begun;
    create function give_up() returns trigger language plpgsql as $$ begin
      if nextval('begun') <= ${times} then raise exception 'given up' using errcode = '${state}'; end if;
      return new; end $$;
    create trigger gives_up before insert on ${table} for each row execute function give_up()`)
  return {
    async begun(): Promise<number> {
      const { rows } = await pool.query<{ count: number }>(
        'select case when is_called then last_value::int else 0 end as count from begun',
      )
      return rows[0]?.count ?? 0
    },
    stop: () => pool.query('drop function give_up() cascade; drop sequence begun'),
  }
}

describe.each([
  ['a deadlock', '40P01'],
  ['a serialization failure', '40001'],
])('%s', (_, state) => {
  const creates = [
    ['a notable with a key', 'notables', '/notables', notable, { 'Idempotency-Key': 'k' }],
    ['a notable without', 'notables', '/notables', notable, {}],
    ['an activity with a key', 'activities', '/activity', work, { 'Idempotency-Key': 'k' }],
    ['an activity without', 'activities', '/activity', work, {}],
  ] as const

  it.each(creates)(
    'is tried three times at most, and is 503 afterwards: %s',
    async (_what, table, path, body, headers) => {
      const ends = await ending(service.db, table, state, 3)
      try {
        const refused = await repository.post(path, body, { headers })
        expect(refused).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
        expect(errorOf(refused).message).toBe('Other requests changed the same records. Try again shortly.')
        expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
        expect(await ends.begun()).toBe(3)
        expect([await count(table), await count('idempotency_keys')]).toEqual([0, 0])
        expect((await repository.post(path, body, { headers })).status).toBe(201)
        expect(await count(table)).toBe(1)
      } finally {
        await ends.stop()
      }
    },
  )

  it.each(creates)('that happens twice is hidden from the caller: %s', async (_what, table, path, body, headers) => {
    const ends = await ending(service.db, table, state, 2)
    try {
      expect((await repository.post(path, body, { headers })).status).toBe(201)
      expect(await ends.begun()).toBe(3)
      expect(await count(table)).toBe(1)
    } finally {
      await ends.stop()
    }
  })

  it('counts as unavailable, by SQL and by Prisma', async () => {
    const { pool, prisma } = service.db
    const sql = `do $$ begin raise exception 'given up' using errcode = '${state}'; end $$`
    const ways: (() => Promise<unknown>)[] = [
      () => pool.query(sql),
      () => prisma.$executeRawUnsafe(sql),
      () => prisma.$transaction((tx) => tx.$executeRawUnsafe(sql)),
      () => prisma.$transaction([prisma.$executeRawUnsafe(sql)]),
    ]
    for (const ask of ways) {
      const error = await ask().catch((thrown: unknown) => thrown)
      expect([String(error), isDatabaseUnavailable(error)]).toEqual([String(error), true])
    }
  })
})

it('other errors of a statement are not retried', async () => {
  const ends = await ending(service.db, 'activities', '23514', 1)
  try {
    expect((await repository.post('/activity', work)).status).toBe(500)
    expect(await ends.begun()).toBe(1)
  } finally {
    await ends.stop()
  }
})
