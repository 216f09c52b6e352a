import { expect, it, onTestFinished } from 'vitest'
import { call } from '../support/client.ts'
import { startGithub } from '../support/github/start.ts'
import { figuresOf } from './load/figures.ts'
import { startLoad } from './load/running.ts'
import { startAddress } from './stage/address.ts'
import { startFleet } from './stage/fleet.ts'
import { startPostgres } from './stage/postgres.ts'
import { randomFrom } from './stage/random.ts'
import { startReplica } from './stage/replica.ts'
import { snapshotOf } from './stage/snapshot-of.ts'

it('a database whose machine is gone without a word is 503 until its connections are given up, and then heals by itself', async () => {
  const github = await startGithub()
  onTestFinished(() => github.stop())
  const postgres = await startPostgres()
  onTestFinished(() => postgres.remove())
  const address = await startAddress(postgres.port)
  onTestFinished(() => address.stop())
  const url = new URL(postgres.url)
  url.port = String(address.port)
  const fleet = await startFleet(2, { DATABASE_URL: url.href, GITHUB_API_URL: github.url })
  onTestFinished(() => fleet.stop())
  const repository = github.addRepository('silent')
  const load = startLoad({ repository, urls: () => fleet.urls, random: randomFrom(1), clients: 12 })
  await load.acknowledged(300)
  const begun = performance.now()
  address.silence()
  await load.acknowledged(300)
  const healed = performance.now() - begun
  await load.acknowledged(300)
  for (const instance of fleet.urls) expect((await call(`${instance}/readyz`)).status).toBe(200)
  await load.finish()
  console.log({ msUntil300WereAcknowledgedAgain: healed }, figuresOf([load]))
  expect(load.faults(await snapshotOf(postgres.url, repository.id))).toEqual([])
}, 180_000)

it('a failover to a promoted replica is 503 with Retry-After for a while, heals by itself, and loses nothing', async () => {
  const github = await startGithub()
  onTestFinished(() => github.stop())
  const primary = await startPostgres()
  onTestFinished(() => primary.remove())
  const replica = await startReplica(primary)
  onTestFinished(() => replica.remove())
  const address = await startAddress(primary.port)
  onTestFinished(() => address.stop())
  const url = new URL(primary.url)
  url.port = String(address.port)
  const fleet = await startFleet(2, { DATABASE_URL: url.href, GITHUB_API_URL: github.url })
  onTestFinished(() => fleet.stop())
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
  await load.finish()
  const ms = { untilPromoted: promoted - begun, fromThenUntilAcknowledged: healed - promoted }
  console.log(ms, figuresOf([load]))
  expect(load.faults(await snapshotOf(replica.url, repository.id))).toEqual([])
}, 120_000)
