import { cpuMeter } from './cpu.ts'
import { latency, type Shot, shown, spreadOf } from './measure.ts'
import type { BenchWorld } from './world.ts'

/** A kind of request beside a number of live activities. */
export interface Sized {
  size: number
  shot(n: number): Shot
}

interface Measured {
  /** The median of each round, in milliseconds. */
  ms: number[]
  /** CPU time per request in each round, in milliseconds. */
  service: number[]
  postgres: number[]
}

const perRound = 100

/** Measures the kinds by turns. Prints time and CPU time of each, against the same beside 100 live activities. */
export async function measureByTurns(world: BenchWorld, name: string, kinds: readonly Sized[], rounds: number) {
  const readCpu = await cpuMeter(world)
  const measured = kinds.map((kind) => ({ kind, found: { ms: [], service: [], postgres: [] } as Measured }))
  for (let round = 0; round < rounds; round++) {
    for (const { kind, found } of measured) {
      const before = readCpu()
      found.ms.push(spreadOf(await latency(perRound, kind.shot)).median)
      const after = readCpu()
      found.service.push((after.service - before.service) / perRound)
      found.postgres.push((after.postgres - before.postgres) / perRound)
    }
  }
  const reference = measured.find(({ kind }) => kind.size === 100)?.found
  if (!reference) throw new Error('Nothing was measured beside 100 live activities')
  for (const { kind, found } of measured) {
    const ratio = shown(spreadOf(found.ms.map((time) => time / median(reference.ms))))
    const cpu = `${median(found.service).toFixed(2)} + ${median(found.postgres).toFixed(2)} ms`
    console.log(
      `${`${name}, ${kind.size} live`.padEnd(52)} ${ratio}×   ${shown(spreadOf(found.ms))} ms   CPU ${(cpuOf(found) / cpuOf(reference)).toFixed(2)}×, ${cpu}   target ≤ 2, CPU ≤ 1.5`,
    )
  }
}

const median = (values: number[]) => spreadOf(values).median
const cpuOf = ({ service, postgres }: Measured) => median(service) + median(postgres)
