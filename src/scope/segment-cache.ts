import { LRUCache } from 'lru-cache'
import { readTokens } from './glob-token.ts'
import { bytesOfSegment } from './held-bytes.ts'
import { type Segment, segmentReader } from './segment.ts'

/** In bytes: some thirty thousand usual names, in 18 MB, and no more than 28 MB of any (measured). */
const MAX_KEPT_BYTES = 25_000_000

const cache = new LRUCache<string, Segment>({
  maxSize: MAX_KEPT_BYTES,
  sizeCalculation: (segment, name) => 150 + 2 * name.length + bytesOfSegment(segment),
})

/** A segment of plain characters and stars, remembered: the names of a repository recur in most of its globs. */
export function knownSegment(name: string): Segment {
  const known = cache.get(name)
  if (known !== undefined) return known
  const tokens = readTokens(name)
  const segment = segmentReader()(tokens)
  // As a text of its own: a part of a glob's text would keep all of that.
  cache.set(String.fromCodePoint(...tokens.map(({ char }) => char)), segment)
  return segment
}
