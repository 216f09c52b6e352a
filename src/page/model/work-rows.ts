import type { Activity } from '../../activity/schema.ts'
import type { Severity } from '../../enums.ts'
import type { CollidingPair } from '../../live/schema.ts'
import { severityRank } from '../../sentence/collision-words.ts'
import type { LiveState } from './live-state.ts'
import { type Place, placesOfActivity } from './places.ts'

/** A line of the table "Who works on what". */
export interface WorkRow {
  activity: Activity
  places: readonly Place[]
  /** With how many activities it collides, and how badly at worst. */
  collisions: number
  severity: Severity | undefined
}

/** All activities: those that collide first, worst first, then the newest work. */
export function workRows({ activities, collisions }: Pick<LiveState, 'activities' | 'collisions'>): WorkRow[] {
  const pairs = pairsByActivity(collisions.values())
  return [...activities.values()].map((activity) => toRow(activity, pairs.get(activity.id) ?? [])).sort(byWeight)
}

function toRow(activity: Activity, pairs: readonly CollidingPair[]): WorkRow {
  const [worst] = pairs.map(({ severity }) => severity).sort((a, b) => severityRank(b) - severityRank(a))
  return { activity, places: placesOfActivity(activity), collisions: pairs.length, severity: worst }
}

function pairsByActivity(pairs: Iterable<CollidingPair>): Map<string, CollidingPair[]> {
  const found = new Map<string, CollidingPair[]>()
  for (const pair of pairs) {
    for (const id of pair.activity_ids) {
      const list = found.get(id)
      if (list) list.push(pair)
      else found.set(id, [pair])
    }
  }
  return found
}

function byWeight(a: WorkRow, b: WorkRow): number {
  return (
    severityRank(b.severity) - severityRank(a.severity) ||
    compare(b.activity.began_at, a.activity.began_at) ||
    compare(b.activity.id, a.activity.id)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
