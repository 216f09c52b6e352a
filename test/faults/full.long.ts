import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { type Fault, faults } from '../support/github/faults.ts'
import { expectNoViolations } from './load/expect-no-violations.ts'
import { oftenSettings, startFullLoad } from './load/full-load.ts'
import { startBalancer } from './stage/balancer.ts'
import { randomFrom } from './stage/random.ts'
import { startStageWith } from './stage/start-stage.ts'
import { startDatabaseProxy } from './stage/tcp-proxy.ts'

const rounds = Number(process.env.FAULTS_ROUNDS ?? 20)
const seed = Number(process.env.FAULTS_SEED ?? Date.now() % 1_000_000)
/** The number of acknowledged attempts between two faults. */
const stretch = 100
/** How long GitHub fails in each round. */
const githubFailsMs = 3_000

/** What GitHub does in turn. A rate limit is over soon after the fault. */
const githubFaults: readonly (readonly [string, () => Fault, RegExp?])[] = [
  ['away', faults.reset],
  ['error pages', faults.unicorn],
  ['slow', () => faults.slow(1_500)],
  ['rate limit', () => faults.primaryLimit(3)],
  ['check runs written, and the response lost', faults.cutOff, /check-runs/],
  ['secondary rate limit', () => faults.secondaryLimit(2)],
  ['responses cut off', faults.cutOff],
]

it(`with observed work, streams and the page nothing is lost, doubled or let in: ${rounds} rounds of faults`, async () => {
  const stage = await startStageWith(startDatabaseProxy, { instances: oftenSettings, githubApp: true })
  const { github, postgres, between: database, fleet } = stage
  const balancer = await startBalancer(fleet.urls)
  onTestFinished(() => balancer.stop())
  await balancer.ready(2)
  github.data.app.hookUrl = `${balancer.url}/api/github/webhooks`
  const load = await startFullLoad(stage, { random: randomFrom(seed), pullPaceMs: 250 })
  const injected: Record<string, number> = {}
  const note = (what: string) => {
    injected[what] = (injected[what] ?? 0) + 1
  }
  const [one, other] = fleet.instances
  const kill = async (victims: typeof fleet.instances) => {
    await Promise.all(victims.map((instance) => instance.end('SIGKILL')))
    await Promise.all(victims.map((instance) => instance.start()))
  }
  const restart = async (signal: NodeJS.Signals) => {
    await postgres.end(signal)
    await postgres.start()
  }
  const processFaults: readonly [string, () => unknown][] = [
    ['kill -9 of one', () => kill(one ? [one] : [])],
    ['PostgreSQL killed', () => restart('SIGKILL')],
    ['connections to PostgreSQL cut', () => database.setTarget(postgres.port)],
    ['kill -9 of the other', () => kill(other ? [other] : [])],
    ['streams cut', () => load.cutStreams()],
    ['PostgreSQL stopped', () => restart('SIGINT')],
    ['kill -9 of both', () => kill(fleet.instances)],
    ['PostgreSQL stopped immediately', () => restart('SIGQUIT')],
  ]
  let last = performance.now()
  const lap = () => {
    const took = performance.now() - last
    last += took
    return Math.round(took)
  }
  for (let round = 0; round < rounds; round++) {
    await load.acknowledged(stretch)
    const acknowledgedMs = lap()
    const [away, fault, path] = githubFaults[round % githubFaults.length] ?? []
    const [what, act] = processFaults[round % processFaults.length] ?? []
    const heal = fault ? github.fail(fault(), path ? { path } : {}) : () => {}
    note(`GitHub: ${away}`)
    // Some lost deliveries are listed as failed, some are not.
    github.loseNext(2, { recorded: round % 2 === 0 })
    note(String(what))
    await act?.()
    await sleep(githubFailsMs)
    heal()
    console.log({ round, what, away, acknowledgedMs, faultMs: lap() })
    if (round === Math.floor(rounds / 2)) load.revoke()
  }
  await load.acknowledged(stretch)
  const violations = await load.finish()
  console.log(`seed ${seed}`, injected, JSON.stringify(load.figures()))
  if (violations.length > 0) console.log(violations.slice(0, 50).join('\n'))
  await expectNoViolations(load.records, postgres.url)
  expect(violations).toEqual([])
}, 3_600_000)
