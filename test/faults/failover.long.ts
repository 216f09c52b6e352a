import { expect, it, onTestFinished } from 'vitest'
import { call } from '../support/client.ts'
import { expectSound } from './load/expect-sound.ts'
import { startLoad } from './load/running.ts'
import { startAddressOf } from './stage/address.ts'
import { randomFrom } from './stage/random.ts'
import { startReplica } from './stage/replica.ts'
import { setStageWith } from './stage/set-stage.ts'

it('a database whose machine is gone without a word is 503 until its connections are given up, and then heals by itself', async () => {
  const { github, postgres, between: address, fleet } = await setStageWith(startAddressOf)
  const repository = github.addRepository('silent')
  const load = startLoad({ repository, urls: () => fleet.urls, random: randomFrom(1), clients: 12 })
  await load.acknowledged(300)
  const begun = performance.now()
  address.silence()
  await load.acknowledged(300)
  const healed = performance.now() - begun
  await load.acknowledged(300)
  for (const instance of fleet.urls) expect((await call(`${instance}/readyz`)).status).toBe(200)
  await expectSound([load], postgres.url, { msUntil300WereAcknowledgedAgain: healed })
}, 180_000)

it('a failover to a promoted replica is 503 with Retry-After for a while, heals by itself, and loses nothing', async () => {
  const { github, postgres: primary, between: address, fleet } = await setStageWith(startAddressOf)
  const replica = await startReplica(primary)
  onTestFinished(() => replica.remove())
  const repository = github.addRepository('moved')
  const load = startLoad({ repository, urls: () => fleet.urls, random: randomFrom(1), clients: 4 })
  await load.acknowledged(100)

  await primary.end('SIGKILL')
  // The name leads to the replica before it takes writes: it answers that it is read-only.
  address.leadTo(replica.port)
  const begun = performance.now()
  const work = { title: 'while it is read-only', summary: 'S', actor: 'A' }
  for (const instance of fleet.urls) {
    const path = `${instance}/api/v1/repos/${repository.owner}/${repository.name}/activity`
    const answer = await call(path, { method: 'POST', token: repository.writer, body: work })
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  await replica.promote()
  const promoted = performance.now()
  await load.acknowledged(1)
  const healed = performance.now()
  await load.acknowledged(100)
  for (const instance of fleet.urls) expect((await call(`${instance}/readyz`)).status).toBe(200)
  const ms = { untilPromoted: promoted - begun, fromThenUntilAcknowledged: healed - promoted }
  await expectSound([load], replica.url, ms)
}, 120_000)
