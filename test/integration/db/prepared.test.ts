import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readPrepared } from '../../../src/service/db/sql/prepared.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

/** One connection, so that each test knows which one is used. */
async function withPool(use: (pool: pg.Pool) => Promise<void>) {
  const pool = new pg.Pool({ ...service.db.pool.options, max: 1 })
  // Its connections still say goodbye when the database is dropped.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    await use(pool)
  } finally {
    await pool.end()
  }
}

async function prepared(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from pg_prepared_statements')
  return rows.map(({ name }) => name)
}

const read = (pool: pg.Pool, n: number) => readPrepared({ pool }, ['activities'], 'select $1::int as n', [n])

describe('a hot read', () => {
  it('is prepared once for its text, for all values', async () => {
    await withPool(async (pool) => {
      const more = (n: number) => readPrepared({ pool }, ['activities'], 'select $1::int + 1 as n', [n])
      for (const n of [1, 2, 3]) {
        expect(await read(pool, n)).toEqual([{ n }])
        expect(await more(n)).toEqual([{ n: n + 1 }])
      }
      expect(new Set(await prepared(pool)).size).toBe(2)
    })
  })

  it('is prepared again when one of its tables has doubled, by sizes that are read once a second', async () => {
    await withPool(async (pool) => {
      const clock = vi.spyOn(performance, 'now').mockReturnValue(10_000)
      const statements = vi.spyOn(pool, 'query')
      await pool.query('create table growing as select 1 as n; create table other as select 1 as n')
      const grown = () => readPrepared({ pool }, ['activities', 'growing'], 'select $1::int as n', [7])
      for (const _ of [1, 2, 3]) expect(await grown()).toEqual([{ n: 7 }])
      expect(await prepared(pool)).toHaveLength(1)
      for (const table of ['growing', 'other']) await pool.query(`insert into ${table} select generate_series(1, 2000)`)
      const unchanged = () => readPrepared({ pool }, ['activities'], 'select $1::int - 1 as n', [7])
      for (const _ of [1, 2]) await Promise.all([grown(), unchanged()])
      expect(await prepared(pool)).toHaveLength(2)
      clock.mockReturnValue(11_000)
      for (const _ of [1, 2, 3]) await Promise.all([grown(), unchanged()])
      expect(await prepared(pool)).toHaveLength(3)
      expect(statements.mock.calls.filter(([text]) => `${text}`.includes('pg_relation_size'))).toHaveLength(2)
      vi.restoreAllMocks()
    })
  })

  it('uses the sizes of before while others read the new ones', async () => {
    await withPool(async (pool) => {
      const clock = vi.spyOn(performance, 'now').mockReturnValue(20_000)
      await read(pool, 1)
      clock.mockReturnValue(21_000)
      const statements = vi.spyOn(pool, 'query')
      await Promise.all([read(pool, 2), read(pool, 3), read(pool, 4)])
      expect(statements.mock.calls.filter(([text]) => `${text}`.includes('pg_relation_size'))).toHaveLength(1)
      vi.restoreAllMocks()
    })
  })

  it('runs unprepared if the pooler uses a connection on which it is not prepared', async () => {
    await withPool(async (pool) => {
      for (const n of [1, 2]) await read(pool, n)
      await pool.query('deallocate all')
      for (const n of [3, 4]) expect(await read(pool, n)).toEqual([{ n }])
      expect(await prepared(pool)).toEqual([])
    })
  })

  it('runs unprepared if the pooler uses a connection on which another client prepared it', async () => {
    await withPool(async (pool) => {
      for (const n of [1, 2]) await read(pool, n)
      const [name] = await prepared(pool)
      await withPool(async (other) => {
        await other.query(`prepare ${name} as select $1::int as n`)
        for (const n of [3, 4]) expect(await read(other, n)).toEqual([{ n }])
      })
    })
  })

  it('runs unprepared after a newer version has changed its tables', async () => {
    await withPool(async (pool) => {
      await pool.query('create table changing (n int)')
      const change = () => readPrepared({ pool }, ['activities'], 'select * from changing', [])
      for (let times = 0; times < 2; times++) await change()
      expect(await prepared(pool)).toHaveLength(1)
      await pool.query('alter table changing add m int')
      await pool.query('insert into changing values (1, 2)')
      expect(await change()).toEqual([{ n: 1, m: 2 }])
    })
  })

  it('throws other errors, and stays prepared', async () => {
    await withPool(async (pool) => {
      await read(pool, 1)
      const divide = readPrepared({ pool }, ['activities'], 'select 1 / $1::int as n', [0])
      await expect(divide).rejects.toThrow('division by zero')
      await read(pool, 1)
      expect(await prepared(pool)).toHaveLength(1)
    })
  })
})
