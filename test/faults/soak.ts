import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { expectNoViolations } from './load/expect-no-violations.ts'
import { startLoad } from './load/start-load.ts'
import { growthOf, median } from './soak/growth.ts'
import { type Sample, sample } from './soak/sample.ts'
import { randomFrom } from './stage/random.ts'
import { startStage } from './stage/start-stage.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 10)
const token = 'metrics-of-the-soak'
const everyMs = Math.min(5_000, minutes * 1_000)

it(`two instances use no more memory and files after ${minutes} minutes of load than in the middle`, async () => {
  // The jobs run often, so that minutes correspond to days.
  const often = { HEADSUP_SWEEP_INTERVAL_MS: '1000', HEADSUP_METRICS_TOKEN: token }
  const { github, postgres, fleet } = await startStage({ instances: often })
  const repository = github.addRepository('soaked')
  const where = { repository, urls: () => fleet.urls, random: randomFrom(1) }
  const load = startLoad({ ...where, clients: 6, paceMs: 40 })
  const samples = fleet.urls.map((): Sample[] => [])
  const begun = performance.now()
  for (let at = 0; at < minutes * 60_000; at = performance.now() - begun) {
    await sleep(everyMs)
    await load.acknowledged(1)
    for (const [which, url] of fleet.urls.entries()) samples[which]?.push(await sample(url, token, at))
  }
  for (const of of samples) console.log(table(of))
  await expectNoViolations([load], postgres.url)
  for (const of of samples) expect(growthOf(of).filter(({ isWithin }) => !isWithin)).toEqual([])
})

/** A line of medians per tenth of the time, and the comparison. */
function table(samples: readonly Sample[]): string {
  const tenth = Math.max(1, Math.floor(samples.length / 10))
  const lines = Array.from({ length: Math.ceil(samples.length / tenth) }, (_, at) => {
    const part = samples.slice(at * tenth, (at + 1) * tenth)
    const of = (held: 'rss' | 'heap' | 'files') => median(part.map((one) => one[held]))
    const at0 = `${((part[0]?.at ?? 0) / 60_000).toFixed(1)} min`
    return `${at0.padStart(9)}  rss ${mb(of('rss'))}  heap ${mb(of('heap'))}  open files ${of('files')}`
  })
  const verdicts = growthOf(samples).map(({ held, middle, last, isWithin }) => {
    const change = ((last / middle - 1) * 100).toFixed(1)
    return `${held}: last third against the middle third ${change} %${isWithin ? '' : ': TOO MUCH'}`
  })
  return [...lines, ...verdicts].join('\n')
}

function mb(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1).padStart(6)} MB`
}
