import { expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { query } from '../support/query.ts'
import { expectSound } from './load/expect-sound.ts'
import { startLoad } from './load/running.ts'
import { poolerVersion, startPooler } from './stage/pooler.ts'
import { randomFrom } from './stage/random.ts'
import { setStageWith } from './stage/set-stage.ts'

const version = poolerVersion()
const missing = version ? '' : ' (skipped: there is no pgbouncer to run)'

it.skipIf(!version)(
  `behind PgBouncer in transaction mode all is as without it${missing}`,
  async () => {
    const { github, postgres, between: pooler, fleet } = await setStageWith(startPooler)
    await seemLarge(postgres.url)
    const repository = github.addRepository('pooled')
    const load = startLoad({ repository, urls: () => fleet.urls, random: randomFrom(1), clients: 4 })
    await load.acknowledged(100)
    expect(load.load.ledger.attempts.unknown).toBe(0)
    const [first] = fleet.instances
    await first?.end('SIGKILL')
    await load.acknowledged(50)
    await first?.start()
    await pooler.end()
    await pooler.begin()
    await load.acknowledged(50)
    await postgres.end('SIGINT')
    await postgres.begin()
    await load.acknowledged(50)
    for (const instance of fleet.urls) expect((await call(`${instance}/readyz`)).status).toBe(200)
    await expectSound([load], postgres.url, version)
  },
  120_000,
)

/** By its statistics alone: of large tables hot reads are prepared, which this pooler knows nothing of. */
async function seemLarge(url: string): Promise<void> {
  await query(url, `update pg_class set reltuples = 100000 where relname in ('activities', 'scope_keys')`)
}
