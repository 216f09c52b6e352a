import { LRUCache } from 'lru-cache'
import { type Glob, parseGlob } from './glob.ts'

/** Most globs are the same few, and each check reads them again. The size is that of all alternatives, in characters. */
const globs = new LRUCache<string, Glob>({
  max: 20_000,
  maxSize: 4_000_000,
  sizeCalculation: ({ text, patterns }) => text.length * patterns.length,
  memoMethod: parseGlob,
})

/** The parsed glob. Throws a `GlobError`. */
export function globOf(text: string): Glob {
  return globs.memo(text)
}
