import { LRUCache } from 'lru-cache'
import { type ParsedGlob, parseGlob } from './glob.ts'

/** About how many characters of globs are kept, read; reading costs far more than comparing. */
const MAX_KEPT_CHARACTERS = 2_000_000

const cache = new LRUCache<string, ParsedGlob>({
  maxSize: MAX_KEPT_CHARACTERS,
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
