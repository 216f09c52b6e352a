import { setImmediate as yieldTurn } from 'node:timers/promises'
import { getOrCreate } from '../../core/lib/maps.ts'
import { comparePairs, keyOf } from '../../core/rules/order/pair-order.ts'
import { bySeverity } from '../../core/rules/severity.ts'
import type { CollidingPair } from '../../core/schemas/live.ts'
import type { ActivityCheck } from '../overlap/check-activities.ts'
import { heldPart, type SeenCollision } from './seen-collision.ts'

/** The result of a check of one live activity. */
export interface LiveCheck extends Omit<ActivityCheck, 'collisions'> {
  /** Worst first. */
  collisions: SeenCollision[]
  /** When the activity last changed its scope, changes, branch or liveness. */
  changedAt: Date
}

export interface PairTable {
  /** Forgets everything. All live activities are to be compared. */
  clear(): void
  /** These activities are to be compared, and those that collide with them or are near them, now or before. */
  note(ids: Iterable<string>): void
  /** Compares what is to be compared, as far as the time in ms allows. Returns the pairs that are new, changed or gone. */
  compare(now: Date, ms: number): Promise<(CollidingPair & { gone?: true })[]>
  /** Whether nothing is left to be compared. */
  isCompared(): boolean
  /** The pairs of these activities, or all, worst first, then newest; and whether pairs of theirs were left out. */
  list(of?: ReadonlySet<string>): { items: CollidingPair[]; isCut: boolean }
  bytes(): number
}

/** How many activities are read for comparison at the same time. */
const readAtATime = 16
/** How many of them are compared even if the time is over. */
const comparedAtLeast = 4
/** How many ids of nearby work are held for one activity. */
const mostNearby = 200
/** How long comparisons run before they yield to other work of the process, in ms. */
const yieldEveryMs = 20

/** Reads what these activities are compared with. Returns the comparisons by id, without activities that are no longer live. */
export type PrepareChecks = (
  ids: readonly string[],
  now: Date,
) => Promise<ReadonlyMap<string, () => Promise<LiveCheck>>>

interface PairTableDeps {
  /** The live activities that are watched. */
  live: ReadonlyMap<string, { id: string; began_at: string }>
  checksOf: PrepareChecks
  /** How large all collisions may be together, in bytes. */
  mostBytes(): number
}

/** A check as far as there is room for it. */
interface HeldCheck {
  collisions: ReadonlyMap<string, SeenCollision>
  nearby: readonly string[]
  isCut: boolean
  byStranger: boolean
  changedAt: Date
  bytes: number
}

/**
 * All pairs of live activities that collide. Two collide if a check of either says so, and the worse severity counts: a check of
 * one that declares a directory may call nearby what a check of the other calls a collision.
 */
export function createPairTable({ live, checksOf, mostBytes }: PairTableDeps): PairTable {
  const checks = new Map<string, HeldCheck>()
  /** The activities in whose checks an activity collides. */
  const foundBy = new Map<string, Set<string>>()
  const pairs = new Map<string, CollidingPair>()
  /** Activities to compare. Those related to them are compared afterwards. */
  const changed = new Set<string>()
  /** Activities to compare alone. */
  const related = new Set<string>()
  /** The keys of pairs that may have changed. */
  const touched = new Set<string>()
  let bytes = 0

  async function compareSome(now: Date, ms: number): Promise<void> {
    const end = performance.now() + ms
    const looked = new Set<string>()
    let yieldedAt = performance.now()
    const take = async (ids: Set<string>) => {
      const some = [...ids].slice(0, readAtATime)
      const known = some.filter((id) => live.has(id))
      const found = known.length > 0 ? await checksOf(known, now) : undefined
      for (const id of some) {
        if (looked.size >= comparedAtLeast && performance.now() >= end) return
        const before = relatedTo(id)
        setCheck(id, await found?.get(id)?.())
        ids.delete(id)
        looked.add(id)
        if (ids === changed) for (const other of [...before, ...relatedTo(id)]) related.add(other)
        if (performance.now() - yieldedAt >= yieldEveryMs) {
          await yieldTurn()
          yieldedAt = performance.now()
        }
      }
    }
    while (changed.size > 0 && performance.now() < end) await take(changed)
    for (const id of related) if (looked.has(id) || changed.has(id)) related.delete(id)
    while (related.size > 0 && performance.now() < end) await take(related)
  }

  /** The activities in the check of this one, and those in whose checks it is a collision. */
  function relatedTo(id: string): string[] {
    const own = checks.get(id)
    return [...(own?.collisions.keys() ?? []), ...(own?.nearby ?? []), ...(foundBy.get(id) ?? [])]
  }

  function setCheck(id: string, check: LiveCheck | undefined): void {
    const before = checks.get(id)
    for (const other of before?.collisions.keys() ?? []) {
      const seeing = foundBy.get(other)
      seeing?.delete(id)
      if (seeing?.size === 0) foundBy.delete(other)
      touched.add(keyOf(id, other))
    }
    for (const other of foundBy.get(id) ?? []) touched.add(keyOf(id, other))
    bytes -= before?.bytes ?? 0
    checks.delete(id)
    if (!check) return
    const held = hold(check)
    bytes += held.bytes
    checks.set(id, held)
    for (const other of held.collisions.keys()) {
      getOrCreate(foundBy, other, () => new Set()).add(id)
      touched.add(keyOf(id, other))
    }
  }

  /** The worst collisions, as far as there is room. Each check has an equal share of it. */
  function hold({ collisions: found, nearby, isCut, byStranger, changedAt }: LiveCheck): HeldCheck {
    const room = Math.min(mostBytes() / Math.max(live.size, 1), mostBytes() - bytes)
    const collisions = new Map<string, SeenCollision>()
    let used = 0
    for (const seen of found) {
      const one = heldPart(seen)
      const size = Buffer.byteLength(JSON.stringify(one))
      if (used + size > room) continue
      used += size
      collisions.set(one.activity_id, one)
    }
    // The same texts as in the map, so that each id is in memory once.
    const near = nearby.flatMap((id) => live.get(id)?.id ?? []).slice(0, mostNearby)
    const isLess = collisions.size < found.length || nearby.length > mostNearby
    return { collisions, nearby: near, isCut: isCut || isLess, byStranger, changedAt, bytes: used }
  }

  /** The pair as the check of either sees it; undefined if neither does, or one is not compared. */
  function pairOf(a: string, b: string): CollidingPair | undefined {
    const [first, second] = isNewer(a, b) ? [a, b] : [b, a]
    const [newer, earlier] = [checks.get(first), checks.get(second)]
    if (!newer || !earlier) return undefined
    const [own, theirs] = [newer.collisions.get(second), earlier.collisions.get(first)]
    const worse = own && theirs ? (bySeverity(theirs, own) < 0 ? theirs : own) : (own ?? theirs)
    if (!worse) return undefined
    const { severity, areas, issues, example_path, reason, same_change } = worse
    const since = Math.max(newer.changedAt.getTime(), earlier.changedAt.getTime())
    return {
      activity_ids: [first, second],
      ...{ severity, areas, issues, example_path },
      lines: worse === own ? worse.lines : worse.their_lines,
      reason,
      ...(same_change && { same_change }),
      since: new Date(since).toISOString(),
      ...outsideOf([first, second]),
    }
  }

  function outsideOf(ids: readonly string[]): Pick<CollidingPair, 'outside_ids'> {
    const outside = ids.filter((id) => checks.get(id)?.byStranger)
    return outside.length === 0 ? {} : { outside_ids: outside.sort() }
  }

  function isNewer(id: string, than: string): boolean {
    const [first, second] = [live.get(id)?.began_at ?? '', live.get(than)?.began_at ?? '']
    return first === second ? id > than : first > second
  }

  /** Brings the pairs up to date, and returns those to send. */
  function news(): (CollidingPair & { gone?: true })[] {
    const sent: (CollidingPair & { gone?: true })[] = []
    for (const key of touched) {
      const [a = '', b = ''] = key.split(' ')
      const [before, current] = [pairs.get(key), pairOf(a, b)]
      if (current) pairs.set(key, current)
      else pairs.delete(key)
      if (contentOf(before) === contentOf(current)) continue
      if (current) sent.push(current)
      else if (before) sent.push({ ...before, gone: true })
    }
    touched.clear()
    return sent
  }

  return {
    clear() {
      for (const part of [checks, foundBy, pairs, changed, related, touched]) part.clear()
      bytes = 0
      for (const id of live.keys()) related.add(id)
    },
    note(ids) {
      for (const id of ids) changed.add(id)
    },
    async compare(now, ms) {
      await compareSome(now, ms)
      return news()
    },
    isCompared: () => changed.size + related.size + touched.size === 0,
    list(of) {
      const isWanted = ({ activity_ids }: CollidingPair) => !of || activity_ids.some((id) => of.has(id))
      const isLess = (id: string) => checks.get(id)?.isCut === true
      // Of work that is nearby only its own check may find the collision.
      const isCut = [...(of ?? checks.keys())].some((id) => isLess(id) || (of && relatedTo(id).some(isLess)))
      return { items: [...pairs.values()].filter(isWanted).sort(comparePairs), isCut }
    },
    bytes: () => bytes,
  }
}

/** The part of a pair whose change is sent. A changed title in its reason is not. */
function contentOf(pair: CollidingPair | undefined): string {
  return JSON.stringify(pair && { ...pair, reason: undefined, since: undefined })
}
