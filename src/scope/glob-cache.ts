import { LRUCache } from 'lru-cache'
import { type ParsedGlob, parseGlob } from './glob.ts'
import { bytesOfGlob, bytesOfSegment } from './held-bytes.ts'
import type { Segment } from './segment.ts'

/**
 * Reading costs far more than comparing. This is over thirty thousand usual globs, which take 40 MB; of hostile ones as
 * many as take under 70 MB, measured with the segments that are kept for reading.
 */
const MAX_KEPT_BYTES = 64_000_000

const cache = new LRUCache<string, ParsedGlob>({
  maxSize: MAX_KEPT_BYTES,
  sizeCalculation: (parsed, text) => bytesOfGlob(text, parsed),
  dispose: release,
})

/** By how many places of the globs that are kept each is held: they share most of theirs, and hostile ones share none. */
const holders = new Map<Segment, number>()
let segmentBytes = 0

/** `parseGlob`, remembered; those used least recently go first. */
export function parsedGlob(text: string): ParsedGlob {
  const known = cache.get(text)
  if (known !== undefined) return known
  const parsed = parseGlob(text)
  cache.set(text, parsed)
  hold(parsed)
  while (cache.size > 0 && cache.calculatedSize + segmentBytes > MAX_KEPT_BYTES) cache.pop()
  return parsed
}

function hold(parsed: ParsedGlob): void {
  eachSegment(parsed, (segment) => {
    const count = holders.get(segment) ?? 0
    if (count === 0) segmentBytes += bytesOfHeld(segment)
    holders.set(segment, count + 1)
  })
}

function release(parsed: ParsedGlob): void {
  eachSegment(parsed, (segment) => {
    const count = holders.get(segment) ?? 0
    if (count > 1) {
      holders.set(segment, count - 1)
      return
    }
    segmentBytes -= bytesOfHeld(segment)
    holders.delete(segment)
  })
}

/** With its place among the holders. */
function bytesOfHeld(segment: Segment): number {
  return 50 + bytesOfSegment(segment)
}

function eachSegment(parsed: ParsedGlob, use: (segment: Segment) => void): void {
  if (!parsed.ok) return
  for (const { items, file } of parsed.glob.paths) {
    items.forEach(use)
    if (file !== null) use(file)
  }
}
