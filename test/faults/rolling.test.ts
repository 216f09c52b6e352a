import { expect, it, onTestFinished } from 'vitest'
import { expectNoViolations } from './load/expect-no-violations.ts'
import { startLoad } from './load/start-load.ts'
import { startBalancer } from './stage/balancer.ts'
import { randomFrom } from './stage/random.ts'
import { startStage } from './stage/start-stage.ts'

/** Many times the polling interval of the balancer, so that requests under way still arrive. */
const leave = { HEADSUP_STOP_DELAY_MS: '1000' }

it('a rolling restart fails no request: readiness ends first, and the balancer uses the other instance', async () => {
  const { github, postgres, fleet } = await startStage({ instances: leave })
  const balancer = await startBalancer(fleet.urls)
  onTestFinished(() => balancer.stop())
  await balancer.ready(2)
  const repository = github.addRepository('rolled')
  const load = startLoad({ repository, urls: () => [balancer.url], random: randomFrom(1), clients: 3, paceMs: 20 })
  for (const instance of fleet.instances) {
    await load.acknowledged(25)
    expect(await instance.end('SIGTERM')).toBe(0)
    await load.acknowledged(20)
    await instance.start()
    await balancer.ready(2)
  }
  await expectNoViolations([load], postgres.url)
  expect(load.load.ledger.attempts.unknown).toBe(0)
}, 120_000)
