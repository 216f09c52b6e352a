import { LRUCache } from 'lru-cache'
import { isPlain, type ParsedGlob, parseGlob } from './glob.ts'

/** Reading costs far more than comparing. This is over thirty thousand usual globs; of plain ones that share no segment it is up to 400 MB. */
const MAX_KEPT_SIZE = 4_000_000

const cache = new LRUCache<string, ParsedGlob>({ maxSize: MAX_KEPT_SIZE, sizeCalculation: keptSize })

/** The segments of a plain glob are kept elsewhere, and are most of it. */
function keptSize(parsed: ParsedGlob, text: string): number {
  return isPlain(text) ? text.length + 50 : 4 * (text.length + (parsed.ok ? parsed.glob.size : 0) + 50)
}

/** `parseGlob`, remembered; those used least recently go first. */
export function parsedGlob(text: string): ParsedGlob {
  const known = cache.get(text)
  if (known !== undefined) return known
  const parsed = parseGlob(text)
  cache.set(text, parsed)
  return parsed
}
