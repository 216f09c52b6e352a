import type { Activity } from '../../activity/schema.ts'
import type { Severity } from '../../enums.ts'
import { severityRank } from '../../overlap/severity.ts'
import type { LiveState } from './live-state.ts'

/** A line of "Who works on what". */
export interface WorkRow {
  activity: Activity
  isMine: boolean
  /** With how many activities it collides, and how badly at worst. */
  collisions: number
  severity: Severity | undefined
}

/** Mine first, then what collides, worst first, then the newest. */
export function workRows(
  { activities, collisions }: Pick<LiveState, 'activities' | 'collisions'>,
  mine: ReadonlySet<string>,
): WorkRow[] {
  const found = new Map<string, Severity[]>()
  for (const { activity_ids, severity } of collisions.values()) {
    for (const id of activity_ids) found.set(id, [...(found.get(id) ?? []), severity])
  }
  const rows = [...activities.values()].map((activity): WorkRow => {
    const all = (found.get(activity.id) ?? []).sort((a, b) => severityRank(b) - severityRank(a))
    return { activity, isMine: mine.has(activity.id), collisions: all.length, severity: all[0] }
  })
  return rows.sort(
    (a, b) =>
      Number(b.isMine) - Number(a.isMine) ||
      severityRank(b.severity) - severityRank(a.severity) ||
      compareText(b.activity.began_at, a.activity.began_at) ||
      compareText(b.activity.id, a.activity.id),
  )
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
