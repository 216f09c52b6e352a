import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { expectNoViolations } from './load/expect-no-violations.ts'
import { oftenSettings, startFullLoad } from './load/full-load.ts'
import { bounds, connectionBound, type Growth, growthOf, median, rowBound } from './soak/growth.ts'
import { ageRows, type Sample, type StoreSample, sample, sampleStore, tables } from './soak/sample.ts'
import { startBalancer } from './stage/balancer.ts'
import { randomFrom } from './stage/random.ts'
import { startStage } from './stage/start-stage.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 10)
const token = 'metrics-of-the-soak'
const everyMs = Math.min(5_000, minutes * 1_000)
/** Streams break this often, and come back with their last id. */
const cutEveryMs = 30_000
/** The jobs run often and ended records are kept for a minute, so that minutes correspond to days. */
const retentionMs = 60_000
const often = { ...oftenSettings, HEADSUP_METRICS_TOKEN: token, HEADSUP_RETENTION_MS: String(retentionMs) }

const storeBounds = {
  ...(Object.fromEntries(tables.map((table) => [table, rowBound])) as Record<(typeof tables)[number], typeof rowBound>),
  connections: connectionBound,
}

it(
  `two instances and the database hold no more after ${minutes} minutes of load than in the middle`,
  async () => {
    const stage = await startStage({ instances: often, githubApp: true })
    const { github, postgres, fleet } = stage
    const balancer = await startBalancer(fleet.urls)
    onTestFinished(() => balancer.stop())
    await balancer.ready(2)
    github.data.app.hookUrl = `${balancer.url}/api/github/webhooks`
    const load = await startFullLoad(stage, { random: randomFrom(1), paceMs: 40, pullPaceMs: 1_000, retentionMs })
    const samples = fleet.urls.map((): Sample[] => [])
    const stored: StoreSample[] = []
    const begun = performance.now()
    let cutAt = begun + cutEveryMs
    while (performance.now() - begun < minutes * 60_000) {
      await sleep(everyMs)
      await load.acknowledged(2)
      await ageRows(postgres.url)
      for (const [which, url] of fleet.urls.entries()) samples[which]?.push(await sample(url, token, fleet.directory))
      stored.push(await sampleStore(postgres.url))
      if (performance.now() < cutAt) continue
      cutAt += cutEveryMs
      load.cutStreams()
    }
    for (const of of samples) print(of, growthOf(of, bounds))
    print(stored, growthOf(stored, storeBounds))
    const violations = await load.finish()
    console.log(JSON.stringify(load.figures()))
    if (violations.length > 0) console.log(violations.slice(0, 50).join('\n'))
    await expectNoViolations(load.records, postgres.url)
    expect(violations).toEqual([])
    const grown = [...samples.flatMap((of) => growthOf(of, bounds)), ...growthOf(stored, storeBounds)]
    expect(grown.filter(({ isWithin }) => !isWithin)).toEqual([])
  },
  (minutes + 45) * 60_000,
)

/** A line of medians per tenth of the time, and the comparison. Memory is in MB. */
function print<Held extends string>(
  samples: readonly Readonly<Record<Held, number>>[],
  growth: readonly Growth[],
): void {
  const tenth = Math.max(1, Math.floor(samples.length / 10))
  const scale = (held: string) => (held === 'rss' || held === 'heap' ? 2 ** 20 : 1)
  for (const { held, middle, last, isWithin } of growth) {
    const medians = Array.from({ length: Math.ceil(samples.length / tenth) }, (_, at) => {
      const values = samples.slice(at * tenth, (at + 1) * tenth).map((one) => one[held as Held])
      return Math.round(median(values) / scale(held))
    })
    const change = middle === 0 ? `${middle} → ${last}` : `${((last / middle - 1) * 100).toFixed(1)} %`
    console.log(
      `${held.padEnd(20)} ${medians.join(' ')}; last third against the middle ${change}${isWithin ? '' : ': TOO MUCH'}`,
    )
  }
}
