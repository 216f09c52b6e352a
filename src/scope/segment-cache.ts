import { LRUCache } from 'lru-cache'
import { readTokens } from './glob-token.ts'
import { type Segment, segmentReader } from './segment.ts'

/** Characters of all that is kept: some fifty thousand usual names, in some 20 MB. */
const cache = new LRUCache<string, Segment>({ maxSize: 1_000_000, sizeCalculation: (_, name) => name.length + 10 })

/** A segment of plain characters and stars, remembered: the names of a repository recur in most of its globs. */
export function knownSegment(name: string): Segment {
  const known = cache.get(name)
  if (known !== undefined) return known
  const segment = segmentReader()(readTokens(name))
  cache.set(name, segment)
  return segment
}
