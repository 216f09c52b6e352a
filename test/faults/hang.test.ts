import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { atOnce } from './load/at-once.ts'
import { expectSound } from './load/expect-sound.ts'
import { type Asked, probeOf } from './load/probe.ts'
import { startLoad } from './load/running.ts'
import { beat, rewrite } from './load/work.ts'
import { areInTransaction } from './stage/are-in-transaction.ts'
import { randomFrom } from './stage/random.ts'
import { setStage } from './stage/set-stage.ts'

const isLong = process.env.FAULTS_ROUNDS !== undefined
/**
 * In seconds. A statement is given up after 10, and whoever were handed its connection would wait as long again: the ordinary
 * run is over before that, the long one meets each.
 */
const hangs = isLong ? [12, 25, 45, 25] : [3.5]
const stretch = isLong ? 300 : 40
/** For each of two dozen activities. */
const beats = isLong ? 8 : 1
const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000)

/** Enough for one statement and one connection on a busy machine; two statements given up one after the other are too many. */
const longestAnswerMs = 18_000
const longestHealingMs = 15_000

it(`nothing acknowledged is lost and nothing is done twice: PostgreSQL hangs for ${hangs.join(', ')} s under load, and goes on`, async () => {
  const { github, postgres, fleet } = await setStage()
  const asked = github.addRepository('asked')
  const probes = await Promise.all(fleet.urls.map((url) => probeOf(url, asked)))
  let urls = fleet.urls
  const hung = { repository: github.addRepository('hung'), urls: () => urls, random: randomFrom(seed) }
  const load = startLoad({ ...hung, clients: isLong ? 12 : 4 })
  for (const [round, seconds] of hangs.entries()) {
    await load.acknowledged(stretch)
    const [left, busy] = round % 2 === 0 ? [0, 1] : [1, 0]
    const [url, probe] = [fleet.urls[left] ?? '', probes[busy]]
    // From here on this instance is asked for nothing that would commit what is written on a connection later on.
    urls = fleet.urls.filter((_, at) => at === busy)
    let transactions: Promise<unknown>
    do transactions = Promise.all(atOnce(load.load, url, rewrite))
    while (!(await areInTransaction(postgres.url, 3, transactions)))
    postgres.freeze()
    const thawed = new AbortController()
    const asking = probe?.askUntil(thawed.signal)
    await sleep(seconds * 1_000)
    thawed.abort()
    postgres.thaw()
    const begun = performance.now()
    await Promise.all(probes.map((each) => each.untilServed()))
    const healedMs = performance.now() - begun
    for (let times = 0; times < beats; times++) await Promise.all(atOnce(load.load, url, beat))
    await transactions
    // What was acknowledged and not committed is lost now.
    if (isLong) await fleet.instances[left]?.end('SIGKILL')
    if (isLong) await fleet.instances[left]?.start()
    urls = fleet.urls
    expectManners((await asking) ?? [], { seconds, healedMs })
  }
  await load.acknowledged(stretch)
  await expectSound([load], postgres.url, `seed ${seed}`)
}, 1_800_000)

/** While it hung whatever was answered was 503, but for the health; afterwards all was served again soon, and by itself. */
function expectManners(asked: readonly Asked[], told: { seconds: number; healedMs: number }): void {
  const [health, rest] = [asked.filter(isOfHealth), asked.filter((one) => !isOfHealth(one))]
  console.log({ ...told, asked: asked.length, longestMs: longestOf(rest), longestHealthMs: longestOf(health) })
  expect(health.filter(({ status }) => status !== 200)).toEqual([])
  const isPromised = ({ status, retryAfter = 0 }: Asked) => status === 503 && retryAfter > 0
  expect(rest.filter((one) => one.isBefore && !isPromised(one))).toEqual([])
  expect(longestOf(asked)).toBeLessThan(longestAnswerMs)
  expect(told.healedMs).toBeLessThan(longestHealingMs)
}

const isOfHealth = ({ what }: Asked) => what === 'health'

function longestOf(asked: readonly Asked[]): number {
  return Math.max(...asked.map(({ ms }) => ms))
}
