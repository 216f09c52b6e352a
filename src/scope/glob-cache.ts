import { LRUCache } from 'lru-cache'
import { type ParsedGlob, parseGlob } from './glob.ts'

/** Reading costs far more than comparing. This is some ten thousand usual globs, and under 80 MB of any. */
const MAX_KEPT_SIZE = 1_000_000

const cache = new LRUCache<string, ParsedGlob>({
  maxSize: MAX_KEPT_SIZE,
  sizeCalculation: (parsed, text) => text.length + (parsed.ok ? parsed.glob.size : 0) + 50,
})

/** `parseGlob`, remembered; those used least recently go first. */
export function parsedGlob(text: string): ParsedGlob {
  const known = cache.get(text)
  if (known !== undefined) return known
  const parsed = parseGlob(text)
  cache.set(text, parsed)
  return parsed
}
