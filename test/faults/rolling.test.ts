import { expect, it, onTestFinished } from 'vitest'
import { startGithub } from '../support/github/start.ts'
import { figuresOf } from './load/figures.ts'
import { startLoad } from './load/running.ts'
import { startBalancer } from './stage/balancer.ts'
import { startFleet } from './stage/fleet.ts'
import { startPostgres } from './stage/postgres.ts'
import { randomFrom } from './stage/random.ts'
import { snapshotOf } from './stage/snapshot-of.ts'

/** Many times the interval at which the balancer asks: what is on its way when an instance turns away still arrives. */
const leave = { HEADSUP_STOP_DELAY_MS: '1000' }

it('a rolling restart fails no request: readiness goes first, and the balancer sends elsewhere', async () => {
  const github = await startGithub()
  onTestFinished(() => github.stop())
  const postgres = await startPostgres()
  onTestFinished(() => postgres.remove())
  const fleet = await startFleet(2, { DATABASE_URL: postgres.url, GITHUB_API_URL: github.url, ...leave })
  onTestFinished(() => fleet.stop())
  const balancer = await startBalancer(fleet.urls)
  onTestFinished(() => balancer.stop())
  await balancer.ready(2)
  const repository = github.addRepository('rolled')
  const load = startLoad({ repository, urls: () => [balancer.url], random: randomFrom(1), clients: 3 })
  for (const instance of fleet.instances) {
    await load.acknowledged(25)
    expect(await instance.end('SIGTERM')).toBe(0)
    await load.acknowledged(20)
    await instance.start()
    await balancer.ready(2)
  }
  await load.finish()
  console.log(figuresOf([load]))
  expect(load.load.ledger.attempts.unknown).toBe(0)
  expect(load.faults(await snapshotOf(postgres.url, repository.id))).toEqual([])
}, 120_000)
