import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { createDatabase } from '../../src/service/db/database.ts'
import { call } from '../support/client.ts'
import { silentLog } from '../support/log.ts'
import { expectNoViolations } from './load/expect-no-violations.ts'
import { startLoad } from './load/start-load.ts'
import { poolerVersion, startPooler } from './stage/pooler.ts'
import { randomFrom } from './stage/random.ts'
import { startStageWith } from './stage/start-stage.ts'

const version = poolerVersion()
/** Settings of the server. The sessions of the service must still be in UTC. */
const foreignTime = ['timezone=Asia/Tokyo', 'datestyle=SQL, DMY']
const missing = version ? '' : ' (skipped: pgbouncer is not installed)'

it.skipIf(!version)(
  `behind PgBouncer in transaction mode the service works as without it${missing}`,
  async () => {
    const { github, postgres, between: pooler, fleet } = await startStageWith(startPooler, { postgres: foreignTime })
    const repository = github.addRepository('pooled')
    const load = startLoad({ repository, urls: () => fleet.urls, random: randomFrom(1), clients: 4 })
    await load.acknowledged(100)
    expect(load.load.ledger.attempts.unknown).toBe(0)
    const [first] = fleet.instances
    await first?.end('SIGKILL')
    await load.acknowledged(50)
    await first?.start()
    await pooler.end()
    await pooler.start()
    await load.acknowledged(50)
    await postgres.end('SIGINT')
    await postgres.start()
    await load.acknowledged(50)
    for (const instance of fleet.urls) expect((await call(`${instance}/readyz`)).status).toBe(200)
    await expectNoViolations([load], postgres.url, version)
  },
  120_000,
)

it.skipIf(!version)(
  `behind PgBouncer in transaction mode every session is in UTC, though others share its connections in their own time zones${missing}`,
  async () => {
    const { between: pooler } = await startStageWith(startPooler, { postgres: foreignTime })
    const db = createDatabase(pooler.url, { log: silentLog, poolSize: 20 })
    const others = new pg.Pool({ connectionString: pooler.url, max: 20 })
    onTestFinished(async () => void (await Promise.all([db.close(), others.end()])))
    const show = `select current_setting('TimeZone') as zone, current_setting('DateStyle') as style`
    const kept = {
      owner: 'acme',
      name: 'shop',
      default_branch: 'main',
      updated_at: new Date('2026-11-20T09:30:00.123Z'),
    }
    async function round(id: bigint): Promise<void> {
      const { rows } = await others.query(show)
      expect(rows).toEqual([{ zone: 'Asia/Tokyo', style: 'SQL, DMY' }])
      expect((await db.query(show)).rows).toEqual([{ zone: 'UTC', style: 'ISO, MDY' }])
      await db.transaction((tx) => tx.repository.create({ data: { repository_id: id, ...kept } }))
      const read = await db.query('select updated_at from repositories where repository_id = $1', [id])
      expect(read.rows).toEqual([{ updated_at: kept.updated_at }])
      expect(await db.prisma.repository.findUnique({ where: { repository_id: id } })).toMatchObject(kept)
    }
    async function rounds(client: number): Promise<void> {
      for (let i = 0; i < 10; i++) await round(BigInt(client * 10 + i + 1))
    }
    await Promise.all(Array.from({ length: 20 }, (_, client) => rounds(client)))
  },
  120_000,
)
