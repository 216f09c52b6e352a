import { type Pair, pairOf, type Repository } from './pull-requests.ts'
import type { Rule } from './rules.ts'

/** What a rule says of the open pull requests of some repositories. */
export interface Replay {
  high: Told
  medium: Told
  /** Conflicts, and those that are told. */
  conflicts: number
  found: readonly Pair[]
  /** Pull requests, and those that are told of another. */
  pullRequests: number
  concerned: number
}

export interface Told {
  pairs: number
  /** Those that really conflict. */
  right: number
}

/** Runs a rule over all pairs that can be judged. `everyConflict`: also those in ignored paths alone count. */
export function replay(repository: Repository, rule: Rule, everyConflict = false): Replay {
  const { name, mergeable, conflicts } = repository
  const decide = rule(repository)
  const truth = new Set(conflicts.filter(({ isCounted }) => everyConflict || isCounted).map(({ pair }) => pair))
  const told = { high: new Set<Pair>(), medium: new Set<Pair>() }
  const concerned = new Set<number>()
  for (const [n, a] of mergeable.entries()) {
    for (const b of mergeable.slice(n + 1)) {
      const severity = decide(a, b)
      if (severity !== 'high' && severity !== 'medium') continue
      told[severity].add(pairOf(a.number, b.number))
      concerned.add(a.number).add(b.number)
    }
  }
  const right = (pairs: Set<Pair>) => [...pairs].filter((pair) => truth.has(pair))
  return {
    high: { pairs: told.high.size, right: right(told.high).length },
    medium: { pairs: told.medium.size, right: right(told.medium).length },
    conflicts: truth.size,
    found: [...right(told.high), ...right(told.medium)].map((pair) => `${name} ${pair}`),
    pullRequests: mergeable.length,
    concerned: concerned.size,
  }
}

/** Several repositories as one. */
export function pooled(replays: readonly Replay[]): Replay {
  const sum = (count: (one: Replay) => number) => replays.reduce((total, one) => total + count(one), 0)
  const told = (of: 'high' | 'medium'): Told => ({
    pairs: sum((one) => one[of].pairs),
    right: sum((one) => one[of].right),
  })
  return {
    high: told('high'),
    medium: told('medium'),
    conflicts: sum((one) => one.conflicts),
    found: replays.flatMap(({ found }) => found),
    pullRequests: sum((one) => one.pullRequests),
    concerned: sum((one) => one.concerned),
  }
}

export function pairsTold({ high, medium }: Replay): number {
  return high.pairs + medium.pairs
}

/** The share of the conflicts that one rule finds among those that another does. */
export function shareFound(rule: Replay, reference: Replay): number {
  const found = new Set(rule.found)
  return reference.found.filter((pair) => found.has(pair)).length / reference.found.length
}

/** Wilson's 95 % interval of a share. */
export function wilson(part: number, whole: number): [low: number, high: number] {
  if (whole === 0) return [0, 1]
  const z = 1.959964
  const share = part / whole
  const middle = share + z ** 2 / (2 * whole)
  const spread = z * Math.sqrt((share * (1 - share)) / whole + z ** 2 / (4 * whole ** 2))
  return [(middle - spread) / (1 + z ** 2 / whole), (middle + spread) / (1 + z ** 2 / whole)]
}
