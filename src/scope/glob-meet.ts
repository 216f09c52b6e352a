import type { Glob } from './glob.ts'
import { linesMeet, startOf } from './line.ts'
import { findMeetingAtOnce, meetAtOnce } from './meet-at-once.ts'
import { belowFile, type Meeting, takesFile } from './meeting.ts'
import type { PathPattern } from './path-pattern.ts'
import { beginsWithKey } from './scope-key.ts'
import type { Segment } from './segment.ts'
import { segmentsMeet } from './segment-meet.ts'
import type { Work } from './track.ts'

/** Above this product of sizes all alternatives are read at once: more to set up, and bounded. */
const LARGE = 2 ** 18

/** Whether the two globs share a path (glob-dialect.md), exactly. */
export function globsMeet(a: Glob, b: Glob, work: Work = { steps: 0 }): boolean {
  return isLarge(a, b) ? meetAtOnce(a, b, work) : findMeetingOneByOne(a, b, work) !== null
}

/** Where the two globs share a path: one that is not below a file if there is one. Null where they share none. */
export function findMeeting(a: Glob, b: Glob, work: Work): Meeting | null {
  return isLarge(a, b) ? findMeetingAtOnce(a, b, work) : findMeetingOneByOne(a, b, work)
}

function isLarge(a: Glob, b: Glob): boolean {
  return a.size * b.size > LARGE
}

/** For what is small, and for what does not meet at first sight: no preparation, and nothing to clean up. */
export function findMeetingOneByOne(a: Glob, b: Glob, work: Work): Meeting | null {
  work.steps += 1 + a.paths.length * b.paths.length
  if (!anyKeysAgree(a.paths, b.paths)) return null
  work.steps += (a.size * b.size) >>> 4
  return findAmong(a.paths, b.paths, work)
}

function findAmong(a: readonly PathPattern[], b: readonly PathPattern[], work: Work): Meeting | null {
  const meets = (x: Segment, y: Segment) => segmentsMeet(x, y, work)
  for (const x of a) {
    for (const y of b) if (keysAgree(x, y) && linesMeet(x, y, meets)) return [{ a: x, b: y }]
  }
  for (const x of a) {
    for (const y of b) {
      const below = keysAgree(x, y) && (findBelow(x, y, meets) ?? findBelow(y, x, meets))
      if (below) return below
    }
  }
  return null
}

function anyKeysAgree(a: readonly PathPattern[], b: readonly PathPattern[]): boolean {
  for (const x of a) for (const y of b) if (keysAgree(x, y)) return true
  return false
}

/** Paths of both begin with both keys, so that one begins with the other. Saves most of the work. */
function keysAgree({ key: a }: PathPattern, { key: b }: PathPattern): boolean {
  return a.length < b.length ? beginsWithKey(b, a) : beginsWithKey(a, b)
}

function findBelow(path: PathPattern, other: PathPattern, meets: (x: Segment, y: Segment) => boolean): Meeting | null {
  const { file } = path
  if (file === null) return null
  for (const [i, item] of other.items.entries()) {
    if (!takesFile(other, i) || !meets(file, item)) continue
    if (linesMeet(startOf(path, path.items.length - 1), startOf(other, i), meets)) return belowFile(path, other, i)
  }
  return null
}
