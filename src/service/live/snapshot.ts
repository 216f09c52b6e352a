import { type CollidingPair, type Collisions, mostSent } from '../../core/schemas/live.ts'
import { countWithin, mostPageBytes, sizeInList } from '../lib/page-bytes.ts'
import type { HeldRecord } from './held-record.ts'

/** Everything that a snapshot may show, the newest or the worst first. */
export interface SnapshotLists {
  activities: readonly HeldRecord[]
  notables: readonly HeldRecord[]
  collisions: readonly CollidingPair[]
  /** Whether there is more of each. */
  isCut: { activities: boolean; notables: boolean; collisions: boolean }
  isComplete: boolean
}

const sum = (sizes: readonly number[]) => sizes.reduce((total, size) => total + size, 0)

/** How many of each list a snapshot shows, from sizes in bytes. Each list has an equal share, and what others leave of theirs. */
function countEach(lists: readonly (readonly number[])[]): number[] {
  const counts = lists.map(() => 0)
  let left = mostPageBytes
  for (const [rank, list] of lists.toSorted((a, b) => sum(a) - sum(b)).entries()) {
    const count = countWithin(list, left / (lists.length - rank))
    counts[lists.indexOf(list)] = count
    left -= sum(list.slice(0, count))
  }
  return counts
}

/** The members of a snapshot that are the same for all who see the same, without the opening brace. */
export function snapshotBody({ activities, notables, collisions, isCut, isComplete }: SnapshotLists): Buffer {
  const held = [activities.slice(0, mostSent), notables.slice(0, mostSent)]
  const texts = [...held.map((records) => records.map(({ text }) => text)), textsOf(collisions)]
  const counts = countEach(texts.map((list) => list.map(sizeInList)))
  const [shown = [], known = [], pairs = []] = texts.map((list, index) => list.slice(0, counts[index]))
  const isScopeCut = held.some((records, index) => records.slice(0, counts[index]).some((one) => one.isScopeCut))
  const truncated = {
    activities: isCut.activities || shown.length < activities.length,
    notables: isCut.notables || known.length < notables.length,
    collisions: isCut.collisions || pairs.length < collisions.length,
    scopes: isScopeCut,
  }
  const lists = `"activities":[${shown}],"notables":[${known}],"collisions":[${pairs}]`
  return Buffer.from(`${lists},"collisions_complete":${isComplete},"truncated":${JSON.stringify(truncated)}}`)
}

/** As many of the pairs as are sent at once. */
export function sentCollisions(
  pairs: readonly CollidingPair[],
  { isCut, isComplete }: { isCut: boolean; isComplete: boolean },
): Collisions {
  const count = countWithin(textsOf(pairs).map(sizeInList))
  return { items: pairs.slice(0, count), truncated: isCut || count < pairs.length, collisions_complete: isComplete }
}

function textsOf(pairs: readonly CollidingPair[]): string[] {
  return pairs.slice(0, mostSent).map((pair) => JSON.stringify(pair))
}
