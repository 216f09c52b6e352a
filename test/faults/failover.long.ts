import { expect, it, onTestFinished } from 'vitest'
import { call } from '../support/client.ts'
import { expectNoViolations } from './load/expect-no-violations.ts'
import { startLoad } from './load/start-load.ts'
import { randomFrom } from './stage/random.ts'
import { startReplica } from './stage/replica.ts'
import { startStageWith } from './stage/start-stage.ts'
import { startDatabaseProxy } from './stage/tcp-proxy.ts'

it('a database host that disappears causes 503 until its connections time out, and then the service recovers', async () => {
  const { github, postgres, between: address, fleet } = await startStageWith(startDatabaseProxy)
  const repository = github.addRepository('silent')
  const load = startLoad({ repository, urls: () => fleet.urls, random: randomFrom(1), clients: 12 })
  await load.acknowledged(300)
  const begun = performance.now()
  address.silence()
  await load.acknowledged(300)
  const healed = performance.now() - begun
  await load.acknowledged(300)
  for (const instance of fleet.urls) expect((await call(`${instance}/readyz`)).status).toBe(200)
  await expectNoViolations([load], postgres.url, { msUntil300WereAcknowledgedAgain: healed })
}, 180_000)

it('a failover to a promoted replica causes 503 with Retry-After, recovers, and loses nothing', async () => {
  const { github, postgres: primary, between: address, fleet } = await startStageWith(startDatabaseProxy)
  const replica = await startReplica(primary)
  onTestFinished(() => replica.remove())
  const repository = github.addRepository('moved')
  const load = startLoad({ repository, urls: () => fleet.urls, random: randomFrom(1), clients: 4 })
  await load.acknowledged(100)

  await primary.end('SIGKILL')
  // The address leads to the replica while it is still read-only.
  address.setTarget(replica.port)
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
  await expectNoViolations([load], replica.url, ms)
}, 120_000)
