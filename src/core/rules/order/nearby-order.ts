import { distanceOf } from '../changed/compare-changes.ts'
import type { NearbyWork } from '../findings.ts'
import { newestFirst, strangersLast } from './list-order.ts'

/** The work of members before that of strangers, the closest first, then the newest. */
export function closestFirst(a: NearbyWork, b: NearbyWork): number {
  return strangersLast(a, b) || distanceTo(a) - distanceTo(b) || newestFirst(a.activity, b.activity)
}

function distanceTo({ changes }: NearbyWork): number {
  return changes === null ? Number.MAX_SAFE_INTEGER : distanceOf(changes.files)
}
