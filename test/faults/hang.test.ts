import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { changeSummary, heartbeat } from './load/actions.ts'
import { expectNoViolations } from './load/expect-no-violations.ts'
import { onEachActivity } from './load/on-each-activity.ts'
import { createProbe, type ProbeResult } from './load/probe.ts'
import { startLoad } from './load/start-load.ts'
import { randomFrom } from './stage/random.ts'
import { startStage } from './stage/start-stage.ts'
import { waitForTransactions } from './stage/wait-for-transactions.ts'

const isLong = process.env.FAULTS_ROUNDS !== undefined
/**
 * In seconds. A statement times out after 5, and a request that got its connection waits as long again to connect. The long run
 * includes all of this.
 */
const hangs = isLong ? [12, 25, 45, 25] : [7]
const attemptsBetween = isLong ? 300 : 40
/** Heartbeats for each of two dozen activities. */
const beats = isLong ? 8 : 1
const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000)

/** Enough for one timed-out statement and one connection on a busy machine, but not for two statements in a row. */
const longestAnswerMs = 18_000
const longestRecoveryMs = 15_000

it(`no acknowledged write is lost or applied twice: PostgreSQL hangs for ${hangs.join(', ')} s under load`, async () => {
  const { github, postgres, fleet } = await startStage()
  const results = github.addRepository('probed')
  const probes = await Promise.all(fleet.urls.map((url) => createProbe(url, results)))
  let urls = fleet.urls
  const options = { repository: github.addRepository('hung'), urls: () => urls, random: randomFrom(seed) }
  const load = startLoad({ ...options, clients: isLong ? 12 : 4 })
  for (const [round, seconds] of hangs.entries()) {
    await load.acknowledged(attemptsBetween)
    const [left, busy] = round % 2 === 0 ? [0, 1] : [1, 0]
    const [url, probe] = [fleet.urls[left] ?? '', probes[busy]]
    // From here on this instance gets no request that would commit later writes on a connection.
    urls = fleet.urls.filter((_, at) => at === busy)
    let transactions: Promise<unknown>
    do transactions = Promise.all(onEachActivity(load.load, url, changeSummary))
    while (!(await waitForTransactions(postgres.url, 3, transactions)))
    postgres.pause()
    const resumed = new AbortController()
    const probing = probe?.probeUntil(resumed.signal)
    await sleep(seconds * 1_000)
    resumed.abort()
    postgres.resume()
    const begun = performance.now()
    await Promise.all(probes.map((each) => each.untilServed()))
    const recoveryMs = performance.now() - begun
    for (let times = 0; times < beats; times++) await Promise.all(onEachActivity(load.load, url, heartbeat))
    await transactions
    // Writes that were acknowledged but not committed are lost now.
    if (isLong) await fleet.instances[left]?.end('SIGKILL')
    if (isLong) await fleet.instances[left]?.start()
    urls = fleet.urls
    expectUnavailable((await probing) ?? [], { seconds, recoveryMs })
  }
  await load.acknowledged(attemptsBetween)
  await expectNoViolations([load], postgres.url, `seed ${seed}`)
}, 1_800_000)

/** While PostgreSQL options, all responses except those of `/healthz` were 503. Afterwards the service recovered soon. */
function expectUnavailable(results: readonly ProbeResult[], details: { seconds: number; recoveryMs: number }): void {
  const [health, rest] = [results.filter(isHealth), results.filter((one) => !isHealth(one))]
  console.log({ ...details, results: results.length, longestMs: longestOf(rest), longestHealthMs: longestOf(health) })
  expect(health.filter(({ status }) => status !== 200)).toEqual([])
  const isExpected = ({ status, retryAfter = 0 }: ProbeResult) => status === 503 && retryAfter > 0
  expect(rest.filter((one) => one.isBefore && !isExpected(one))).toEqual([])
  expect(longestOf(results)).toBeLessThan(longestAnswerMs)
  expect(details.recoveryMs).toBeLessThan(longestRecoveryMs)
}

const isHealth = ({ what }: ProbeResult) => what === 'health'

function longestOf(results: readonly ProbeResult[]): number {
  return Math.max(...results.map(({ ms }) => ms))
}
