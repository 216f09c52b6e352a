import { parseGlob } from '../src/core/scope/glob/glob.ts'
import { intersect } from '../src/core/scope/match/intersect.ts'
import { hardPairs } from '../test/unit/scope/hard-globs.ts'
import { shown, spreadOf } from './measure.ts'

/** Prints the CPU time of deciding each of the hard pairs of globs: the first time, with nothing kept, and after that. */
const rounds = 15

function read(text: string) {
  const parsed = parseGlob(text)
  if (!parsed.ok) throw new Error(parsed.fault.message)
  return parsed.glob
}

function measured(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

for (const [what, a, b, expected] of hardPairs) {
  const [x, y] = [read(a), read(b)]
  const decide = () => {
    if ((intersect(x, y) !== null) !== expected) throw new Error(`${what}: wrong`)
  }
  const first = measured(decide)
  const later = Array.from({ length: rounds }, () => measured(decide))
  console.log(`${what.padEnd(70)} ${first.toFixed(1).padStart(6)} ms, later ${shown(spreadOf(later), 1)} ms`)
}
