import type { Activity } from '../activity/schema.ts'
import type { Severity } from '../enums.ts'
import { bySeverity } from '../overlap/severity.ts'
import { type CollidingPair, type Collisions, mostSent } from './schema.ts'

/** The result of a check of one live activity. */
export interface View {
  collisions: SeenCollision[]
  /** The ids of work that is nearby. A check of that work may find a collision. */
  nearby: string[]
  /** Whether it collides with more. */
  isCut: boolean
  /** Whether it is a pull request of a stranger (docs/rules.md#strangers). */
  byStranger: boolean
  /** When the activity last changed its scope, changes, branch or liveness. */
  changedAt: Date
}

export interface SeenCollision {
  activity_id: string
  severity: Severity
  areas: string[]
  example_path: string | null
  lines: [number, number][] | null
  their_lines: [number, number][] | null
  reason: string
}

export interface PairTable {
  /**
   * Compares these activities again, and those that collide with them or are near them, now or before. Continues with
   * what earlier updates had no time for. Returns the pairs to send.
   */
  update(ids: readonly string[], now: Date): Promise<(CollidingPair & { gone?: true })[]>
  /** Forgets everything, and compares all live activities. */
  load(now: Date): Promise<void>
  all(truncated: boolean): Collisions
}

/** How long all comparisons of one update may take, in ms: the updates of all repositories wait for each other. */
const budgetMs = 5_000
/** The same for an update without changes, which only continues earlier comparisons. */
const catchUpMs = 1_000
/** How many activities are read for comparison at the same time. */
const readAtATime = 16
/** How many of them are compared even if the time is over. */
const comparedAtLeast = 4

/** Reads what these activities are compared with. Returns the comparisons by id, without activities that are no longer live. */
export type ReadViews = (ids: readonly string[], now: Date) => Promise<ReadonlyMap<string, () => Promise<View>>>

interface PairTableDeps {
  /** The live activities that are watched. */
  live: ReadonlyMap<string, Activity>
  viewsOf: ReadViews
}

/**
 * All pairs of live activities that collide. Two collide if a check of either says so, and the worse severity counts: a check of
 * one that declares a directory may call nearby what a check of the other calls a collision.
 */
export function createPairTable({ live, viewsOf }: PairTableDeps): PairTable {
  const views = new Map<string, View>()
  let pairs = new Map<string, CollidingPair>()
  /** Activities to compare. Those related to them are compared afterwards. */
  const changed = new Set<string>()
  /** Activities to compare alone. */
  const related = new Set<string>()

  /** Compares what is to be compared, as far as the time allows. */
  async function compare(now: Date, ms: number): Promise<void> {
    const end = performance.now() + ms
    const looked = new Set<string>()
    const take = async (ids: Set<string>) => {
      const some = [...ids].slice(0, readAtATime)
      const known = some.filter((id) => live.has(id))
      const found = known.length > 0 ? await viewsOf(known, now) : undefined
      const taken: string[] = []
      for (const id of some) {
        if (taken.length >= comparedAtLeast && performance.now() >= end) break
        const view = await found?.get(id)?.()
        if (view) views.set(id, view)
        else views.delete(id)
        ids.delete(id)
        looked.add(id)
        taken.push(id)
      }
      return taken
    }
    while (changed.size > 0 && performance.now() < end) {
      const before = [...changed].slice(0, readAtATime).flatMap(relatedTo)
      const some = await take(changed)
      for (const other of [...before, ...some.flatMap(relatedTo)]) related.add(other)
      for (const id of related) if (looked.has(id) || changed.has(id)) related.delete(id)
    }
    while (related.size > 0 && performance.now() < end) await take(related)
  }

  /** The activities in the view of this one, and those in whose views it is a collision. */
  function relatedTo(id: string): string[] {
    const own = views.get(id)
    const seen = own ? [...own.collisions.map(({ activity_id }) => activity_id), ...own.nearby] : []
    const seeing = [...views].flatMap(([other, view]) =>
      view.collisions.some(({ activity_id }) => activity_id === id) ? other : [],
    )
    return [...seen, ...seeing]
  }

  function currentPairs(): Map<string, CollidingPair> {
    const found = new Map<string, CollidingPair>()
    for (const [id, { collisions }] of views) {
      for (const collision of collisions) {
        const pair = views.has(collision.activity_id) && toPair(id, collision)
        if (!pair) continue
        const key = keyOf(pair)
        const known = found.get(key)
        const isBetter =
          !known || bySeverity(pair, known) < 0 || (pair.severity === known.severity && id === pair.activity_ids[0])
        if (isBetter) found.set(key, pair)
      }
    }
    return found
  }

  function toPair(id: string, { activity_id: other, lines, their_lines, ...facts }: SeenCollision): CollidingPair {
    const isNewer = newerFirst(id, other)
    const since = Math.max(changedAt(id), changedAt(other))
    return {
      activity_ids: isNewer ? [id, other] : [other, id],
      severity: facts.severity,
      areas: facts.areas,
      example_path: facts.example_path,
      lines: isNewer ? lines : their_lines,
      reason: facts.reason,
      since: new Date(since).toISOString(),
      ...outsideOf([id, other]),
    }
  }

  function outsideOf(ids: readonly string[]): Pick<CollidingPair, 'outside_ids'> {
    const outside = ids.filter((id) => views.get(id)?.byStranger)
    return outside.length === 0 ? {} : { outside_ids: outside.sort() }
  }

  function newerFirst(a: string, b: string): boolean {
    const [first, second] = [live.get(a)?.began_at ?? '', live.get(b)?.began_at ?? '']
    return first === second ? a > b : first > second
  }

  function changedAt(id: string): number {
    return views.get(id)?.changedAt.getTime() ?? 0
  }

  return {
    async load(now) {
      views.clear()
      changed.clear()
      related.clear()
      for (const id of live.keys()) related.add(id)
      await compare(now, budgetMs)
      pairs = currentPairs()
    },
    async update(ids, now) {
      for (const id of ids) changed.add(id)
      if (changed.size + related.size === 0) return []
      await compare(now, ids.length > 0 ? budgetMs : catchUpMs)
      const current = currentPairs()
      const gone = [...pairs].filter(([key]) => !current.has(key)).map(([, pair]) => ({ ...pair, gone: true as const }))
      const news = [...current].filter(([key, pair]) => contentOf(pairs.get(key)) !== contentOf(pair))
      pairs = current
      return [...gone, ...news.map(([, pair]) => pair)]
    },
    all: (truncated) => {
      const isCut = [...views.values()].some((view) => view.isCut)
      const isLate = changed.size + related.size > 0
      return collisionsOf([...pairs.values()], truncated || isCut || isLate)
    },
  }
}

function keyOf({ activity_ids }: CollidingPair): string {
  return activity_ids.toSorted().join(' ')
}

/** The part of a pair whose change is sent. A changed title in its reason is not. */
function contentOf(pair: CollidingPair | undefined): string {
  return JSON.stringify(pair && { ...pair, reason: undefined, since: undefined })
}

/** Pairs of members first, then those with a stranger, then those of two; each worst first, then newest. */
export function collisionsOf(pairs: readonly CollidingPair[], truncated: boolean): Collisions {
  const sorted = pairs.toSorted(
    (a, b) =>
      outsiders(a) - outsiders(b) || bySeverity(a, b) || descending(a.since, b.since) || descending(keyOf(a), keyOf(b)),
  )
  return { items: sorted.slice(0, mostSent), truncated: truncated || sorted.length > mostSent }
}

function outsiders({ outside_ids = [] }: CollidingPair): number {
  return outside_ids.length
}

function descending(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0
}
