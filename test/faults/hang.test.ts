import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { expectSound } from './load/expect-sound.ts'
import { type Asked, type Probe, probeOf } from './load/probe.ts'
import { startLoad } from './load/running.ts'
import type { Postgres } from './stage/postgres.ts'
import { randomFrom } from './stage/random.ts'
import { setStage } from './stage/set-stage.ts'

const isLong = process.env.FAULTS_ROUNDS !== undefined
/**
 * In seconds. A statement is given up after 10, and whoever were handed its connection would wait as long again: the ordinary
 * run is over before that, the long one meets each.
 */
const hangs = isLong ? [12, 25, 40, 70] : [4]
const stretch = isLong ? 300 : 60
const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000)

/** Enough for one statement and one connection on a busy machine; two statements given up one after the other are too many. */
const longestAnswerMs = 18_000
const longestHealingMs = 15_000

it(`nothing acknowledged is lost and nothing is done twice: PostgreSQL hangs for ${hangs.join(', ')} s under load, and goes on`, async () => {
  const { github, postgres, fleet } = await setStage()
  const random = randomFrom(seed)
  const repository = github.addRepository('hung')
  const asked = github.addRepository('asked')
  const probes = await Promise.all(fleet.urls.map((url) => probeOf(url, asked)))
  const load = startLoad({ repository, urls: () => fleet.urls, random, clients: isLong ? 12 : 4 })
  for (const [round, seconds] of hangs.entries()) {
    await load.acknowledged(stretch)
    await hang(postgres, probes, seconds)
    if (!isLong) continue
    await load.acknowledged(stretch)
    // What lies in a transaction that nobody knows of is lost now.
    const victim = fleet.instances[round % 2]
    await victim?.end('SIGKILL')
    await victim?.start()
  }
  await load.acknowledged(stretch)
  await expectSound([load], postgres.url, `seed ${seed}`)
}, 1_800_000)

/** Meanwhile whatever is answered is 503, but for the health; afterwards the service is back soon, by itself. */
async function hang(postgres: Postgres, probes: readonly Probe[], seconds: number): Promise<void> {
  const thawed = new AbortController()
  postgres.freeze()
  const asking = Promise.all(probes.map((probe) => probe.askUntil(thawed.signal)))
  await sleep(seconds * 1_000)
  thawed.abort()
  postgres.thaw()
  const begun = performance.now()
  await Promise.all(probes.map((probe) => probe.untilServed()))
  const healedMs = performance.now() - begun
  const asked = (await asking).flat()
  const [health, rest] = [asked.filter(isOfHealth), asked.filter((one) => !isOfHealth(one))]
  console.log({
    seconds,
    asked: asked.length,
    healedMs,
    longestMs: longestOf(rest),
    longestHealthMs: longestOf(health),
  })
  expect(health.filter(({ status }) => status !== 200)).toEqual([])
  const isPromised = ({ status, retryAfter = 0 }: Asked) => status === 503 && retryAfter > 0
  expect(rest.filter((one) => one.isBefore && !isPromised(one))).toEqual([])
  expect(longestOf(asked)).toBeLessThan(longestAnswerMs)
  expect(healedMs).toBeLessThan(longestHealingMs)
}

const isOfHealth = ({ what }: Asked) => what === 'health'

function longestOf(asked: readonly Asked[]): number {
  return Math.max(...asked.map(({ ms }) => ms))
}
