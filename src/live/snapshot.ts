import type { HeldRecord } from './held-record.ts'
import { type CollidingPair, type Collisions, mostSent, mostSentBytes } from './schema.ts'

/** Everything that a snapshot may show, the newest or the worst first. */
export interface SnapshotLists {
  activities: readonly HeldRecord[]
  notables: readonly HeldRecord[]
  collisions: readonly CollidingPair[]
  /** Whether there is more of each. */
  isCut: { activities: boolean; notables: boolean; collisions: boolean }
  isComplete: boolean
}

/** What stands in a snapshot besides the lists takes less, in bytes. */
const othersBytes = 4 * 1024

/**
 * How many of each list fit into `most` bytes together, from sizes in bytes. Each list has an equal share, and what others
 * leave of theirs.
 */
export function fitting(sizes: readonly (readonly number[])[], most: number): number[] {
  const counts = sizes.map(() => 0)
  const needs = sizes.map((list, index) => ({ list, index, need: list.reduce((sum, size) => sum + size, 0) }))
  let left = most
  for (const [rank, { list, index }] of needs.sort((a, b) => a.need - b.need).entries()) {
    const share = left / (needs.length - rank)
    let used = 0
    for (const size of list) {
      if (used + size > share) break
      used += size
      counts[index] = (counts[index] ?? 0) + 1
    }
    left -= used
  }
  return counts
}

/** The members of a snapshot that are the same for all who see the same, without the opening brace. */
export function snapshotBody({ activities, notables, collisions, isCut, isComplete }: SnapshotLists): Buffer {
  const held = [activities.slice(0, mostSent), notables.slice(0, mostSent)]
  const texts = [...held.map((records) => records.map(({ text }) => text)), textsOf(collisions)]
  const counts = fitting(texts.map(sizesOf), mostSentBytes - othersBytes)
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
  const [count = 0] = fitting([sizesOf(textsOf(pairs))], mostSentBytes - othersBytes)
  return { items: pairs.slice(0, count), truncated: isCut || count < pairs.length, collisions_complete: isComplete }
}

function textsOf(pairs: readonly CollidingPair[]): string[] {
  return pairs.slice(0, mostSent).map((pair) => JSON.stringify(pair))
}

/** Each with its comma. */
function sizesOf(texts: readonly string[]): number[] {
  return texts.map((text) => Buffer.byteLength(text) + 1)
}
