import { LRUCache } from 'lru-cache'
import type { Steps } from '../match/wildcard-sequence.ts'
import { type Glob, type ParsedGlob, parseGlob } from './glob.ts'
import type { Segment } from './segment.ts'

/** Returns the parsed glob of a text, and counts the work of parsing it. */
export type ReadGlob = (text: string, work?: Steps) => ParsedGlob

/** In bytes: over thirty thousand usual globs. */
const MAX_SIZE = 70_000_000

/** What parsing costs for each character and each segment, in steps. */
const STEPS_TO_PARSE = 10

/** `parseGlob` with a cache of the globs used most recently. */
export function createGlobCache(maxSize = MAX_SIZE): ReadGlob {
  const cache = new LRUCache<string, ParsedGlob>({ maxSize, sizeCalculation: bytesOf })
  return (text, work) => {
    const known = cache.get(text)
    if (known !== undefined) return known
    const parsed = parseGlob(text)
    if (work) work.steps += STEPS_TO_PARSE * (text.length + (parsed.ok ? parsed.glob.size : 0))
    cache.set(text, parsed)
    return parsed
  }
}

/** About how many bytes a parsed glob takes, as measured. */
function bytesOf(parsed: ParsedGlob, text: string): number {
  return 300 + 2 * text.length + (parsed.ok ? bytesOfPatterns(parsed.glob) : 500)
}

/** The patterns of a glob share segments that are written alike. */
function bytesOfPatterns({ patterns }: Glob): number {
  let bytes = 0
  for (const { items, head } of patterns) bytes += 350 + 12 * items.length + 2 * head.length
  for (const segment of new Set(patterns.flatMap(({ items }) => items))) bytes += bytesOfSegment(segment)
  return bytes
}

function bytesOfSegment({ hasBracket, isLiteral, length }: Segment): number {
  if (isLiteral) return 180 + 2 * length
  return hasBracket ? 1000 + 70 * length : 850 + 24 * length
}
