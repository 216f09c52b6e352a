import { expect, it } from 'vitest'
import { query } from '../support/query.ts'
import { startLoad } from './load/start-load.ts'
import { randomFrom } from './stage/random.ts'
import { readSnapshot } from './stage/read-snapshot.ts'
import { startStage } from './stage/start-stage.ts'

const early = ['synchronous_commit=off', 'wal_writer_delay=10s', 'wal_writer_flush_after=1GB']

it('the checks detect lost writes of a database that acknowledges too early', async () => {
  const { github, postgres, fleet } = await startStage({ postgres: early })
  await checkpoint(postgres.url)
  const repository = github.addRepository('early')
  const load = startLoad({ repository, urls: () => fleet.urls, random: randomFrom(1), clients: 4 })
  await load.acknowledged(300)
  await postgres.end('SIGQUIT')
  await postgres.start()
  await load.acknowledged(50)
  await load.finish()
  const faults = load.violations(await readSnapshot(postgres.url, repository.id))
  console.log(`${faults.length} faults found, such as:\n${faults.slice(0, 3).join('\n')}`)
  expect(faults.join('\n')).toMatch(/: act_\w+ is lost$/m)
}, 60_000)

/** Without a checkpoint the tables would be lost too, and every request would fail. */
async function checkpoint(url: string): Promise<void> {
  await query(url, 'checkpoint')
}
