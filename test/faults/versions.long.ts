import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { expectNoViolations } from './load/expect-no-violations.ts'
import { startLoad } from './load/start-load.ts'
import { randomFrom } from './stage/random.ts'
import { startStage } from './stage/start-stage.ts'

/** The `dist/service/main.js` of the previous version, which is built by hand. */
const previous = process.env.FAULTS_PREVIOUS ?? ''
const minutes = Number(process.env.FAULTS_MINUTES ?? 10)
const token = 'metrics-of-two-versions'
const unset = previous === '' ? ' (skipped: FAULTS_PREVIOUS does not name the main.js of the previous version)' : ''

it.skipIf(previous === '')(
  `the previous version serves beside this one on the schema of this one, for ${minutes} minutes of load${unset}`,
  async () => {
    const shared = { HEADSUP_METRICS_TOKEN: token, HEADSUP_SWEEP_INTERVAL_MS: '1000' }
    // The first one applies the migrations.
    const { github, postgres, fleet } = await startStage({
      instances: shared,
      each: [{}, { command: [process.execPath, previous] }],
    })
    const repository = github.addRepository('versions')
    const load = startLoad({ repository, urls: () => fleet.urls, random: randomFrom(1), clients: 4, paceMs: 100 })
    for (const until = performance.now() + minutes * 60_000; performance.now() < until; await sleep(1_000)) {
      await load.acknowledged(1)
    }
    const statuses = await Promise.all(fleet.urls.map(countByStatus))
    await expectNoViolations([load], postgres.url, { thisVersion: statuses[0], previousVersion: statuses[1] })
    for (const counts of statuses) expect(Object.keys(counts).filter((status) => !/^[24]/.test(status))).toEqual([])
  },
)

/** How many responses of each status an instance gave. */
async function countByStatus(url: string): Promise<Record<string, number>> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const counts: Record<string, number> = {}
  const line = /^headsup_http_requests_total\{.*status="(\w+)".*\} (\d+)$/gm
  for (const [, status = '', count] of (await response.text()).matchAll(line)) {
    counts[status] = (counts[status] ?? 0) + Number(count)
  }
  return counts
}
