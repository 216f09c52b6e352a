import { expect, it, onTestFinished } from 'vitest'
import { expectSound } from './load/expect-sound.ts'
import { startLoad } from './load/running.ts'
import { startBalancer } from './stage/balancer.ts'
import { randomFrom } from './stage/random.ts'
import { setStage } from './stage/set-stage.ts'

/** Many times the interval at which the balancer asks: what is on its way when an instance turns away still arrives. */
const leave = { HEADSUP_STOP_DELAY_MS: '1000' }

it('a rolling restart fails no request: readiness goes first, and the balancer sends elsewhere', async () => {
  const { github, postgres, fleet } = await setStage({ instances: leave })
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
  await expectSound([load], postgres.url)
  expect(load.load.ledger.attempts.unknown).toBe(0)
}, 120_000)
