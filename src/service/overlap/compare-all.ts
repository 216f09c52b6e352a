import type { Severity } from '../../core/enums.ts'
import { storedKeys } from '../../core/globs/keys.ts'
import { compareInTurns } from '../../core/overlap/compare.ts'
import type { Comparison } from '../../core/overlap/comparison.ts'
import { byAge, epicsIn } from '../../core/overlap/decide.ts'
import { keysOf, pathsOf } from '../../core/overlap/lookups.ts'
import { expectedAs, stacksIn } from '../../core/overlap/relationship.ts'
import { rankOf, severityFor, worstOf } from '../../core/overlap/severity.ts'
import { namesFiles, type OverlapRules } from '../../core/overlap/work.ts'
import { createTurns } from '../../core/turns.ts'
import type { Facts } from './facts.ts'

const mostMs = 5_000
const mostPairs = 50_000
const stepsOfPair = 100_000

export interface Pair {
  newer: Facts
  older: Facts
  severity: Severity
  /** `ours` is the newer. */
  comparison: Comparison
}

/** All pairs that collide, in the order of the answer. It lets other requests go first. */
export async function compareAll(works: readonly Facts[], rules: OverlapRules, defaultBranch: string) {
  const epics = epicsIn(works)
  const stackOf = stacksIn(works, defaultBranch)
  const stacks = new Map(works.map((one) => [one, stackOf(one)]))
  const [turn, until] = [createTurns(), performance.now() + mostMs]
  const pairs: Pair[] = []
  let isWhole = !works.some((one) => lacksFiles(one, works))
  for (const pair of pairsThatMayMeet(works, rules, defaultBranch)) {
    if (performance.now() > until || pairs.length >= mostPairs)
      return { pairs: pairs.toSorted(byWeight), isWhole: false }
    await turn()
    if (pair === null) continue
    const [newer, older] = pair
    const stack = stacks.get(newer)
    if (!stack || expectedAs(newer, older, stack, defaultBranch) !== null) continue
    const limits = { budget: { steps: stepsOfPair }, epics }
    const comparison = await compareInTurns(newer.work, older.work, limits, turn)
    if (comparison === undefined) isWhole = false
    const severity = comparison && worstOf([newer, older].flatMap((one) => severityFor(comparison.severity, one) ?? []))
    if (comparison && severity) pairs.push({ newer, older, severity, comparison })
  }
  return { pairs: pairs.toSorted(byWeight), isWhole }
}

/** Whether work of a member may meet others by files of it that are not kept. */
function lacksFiles(one: Facts, works: readonly Facts[]): boolean {
  return one.isIncomplete && !one.isStranger && works.some((other) => other !== one && namesFiles(other.work))
}

/** Each pair that shares a key, once: the newer, the older. Null where others may go first. */
function* pairsThatMayMeet(works: readonly Facts[], { areaPaths, isIgnored }: OverlapRules, defaultBranch: string) {
  const named = new Set(works.flatMap(({ work }) => [...work.areas.keys()]))
  // To compare files with the paths of an area that nobody names would find nothing.
  const rules = { areaPaths: new Map([...areaPaths].filter(([key]) => named.has(key))), isIgnored }
  const byKey = new Map<string, Facts[]>()
  const lookups = new Map<Facts, string[]>()
  for (const facts of works) {
    yield null
    const { work } = facts
    const files = [...work.files.byPath.values()]
    const told = files.flatMap(({ path, toldBy }) => (toldBy === 'client' ? [path] : []))
    const areas = [...work.areas.keys()]
    const stored = storedKeys({ globs: work.globs, areas, issues: work.issues, paths: told, branches: [] })
    for (const key of [...stored, ...work.files.sorted.map((path) => `/${path}`)]) {
      const known = byKey.get(key)
      if (known) known.push(facts)
      else byKey.set(key, [facts])
    }
    lookups.set(facts, [...keysOf(work, [], defaultBranch, rules), ...pathsOf(work).map((path) => `/${path}`)])
  }
  const done = new Map(works.map((one) => [one, new Set<Facts>()]))
  for (const one of works) {
    for (const key of lookups.get(one) ?? []) {
      for (const other of byKey.get(key) ?? []) {
        if (other === one || done.get(one)?.has(other)) continue
        done.get(one)?.add(other)
        done.get(other)?.add(one)
        yield isNewer(one, other) ? ([one, other] as const) : ([other, one] as const)
      }
    }
  }
}

function isNewer(a: Facts, b: Facts): boolean {
  return (a.began_at.getTime() - b.began_at.getTime() || (a.id > b.id ? 1 : -1)) > 0
}

/** Members before strangers, then the worst, then the newest. */
function byWeight(a: Pair, b: Pair): number {
  return (
    Number(isOfStranger(a)) - Number(isOfStranger(b)) ||
    rankOf(b.severity) - rankOf(a.severity) ||
    byAge(newestOf(a), newestOf(b))
  )
}

export function isOfStranger({ newer, older }: Pair): boolean {
  return newer.isStranger || older.isStranger
}

function newestOf({ newer, older }: Pair): Facts {
  return byAge(newer, older) < 0 ? newer : older
}
