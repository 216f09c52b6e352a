import { expect, it } from 'vitest'
import { query } from '../support/query.ts'
import { startLoad } from './load/running.ts'
import { randomFrom } from './stage/random.ts'
import { setStage } from './stage/set-stage.ts'
import { snapshotOf } from './stage/snapshot-of.ts'

const early = ['synchronous_commit=off', 'wal_writer_delay=10s', 'wal_writer_flush_after=1GB']

it('the checks find what is lost where a database acknowledges too early', async () => {
  const { github, postgres, fleet } = await setStage({ postgres: early })
  await keepWhatThereIs(postgres.url)
  const repository = github.addRepository('early')
  const load = startLoad({ repository, urls: () => fleet.urls, random: randomFrom(1), clients: 4 })
  await load.acknowledged(300)
  await postgres.end('SIGQUIT')
  await postgres.begin()
  await load.acknowledged(50)
  await load.finish()
  const faults = load.faults(await snapshotOf(postgres.url, repository.id))
  console.log(`${faults.length} faults found, such as:\n${faults.slice(0, 3).join('\n')}`)
  expect(faults.join('\n')).toMatch(/: act_\w+ is lost$/m)
}, 60_000)

/** Else the tables are lost as well: then every request fails, and there is nothing to check. */
async function keepWhatThereIs(url: string): Promise<void> {
  await query(url, 'checkpoint')
}
