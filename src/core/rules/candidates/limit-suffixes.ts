import { type IndexKey, PART, prefixesAbove } from '../../scope/index/index-keys.ts'

/** Each index entry at a key or below it is tested against the suffixes of that key: 10,000 entries against 64 take 0.1 s. */
export const mostSuffixes = 64

/** Agrees with every suffix, so that no other is needed. */
const openEnd: ReadonlySet<string> = new Set([''])

/**
 * The suffixes themselves if they are few, else their starts, cut to the greatest length that leaves few of them. The result
 * finds at least as much: what agrees with a suffix agrees with its starts.
 */
export function limitSuffixes(suffixes: ReadonlySet<string>): ReadonlySet<string> {
  if (suffixes.has('')) return openEnd
  if (suffixes.size <= mostSuffixes) return suffixes
  const sorted = [...suffixes].sort()
  // Cut to a length, two neighbours differ if they have less than that in common.
  const common = sorted.slice(1).map((suffix, at) => commonLength(sorted[at] ?? '', suffix))
  const length = common.sort((a, b) => a - b)[mostSuffixes - 1] ?? 0
  return new Set(sorted.map((suffix) => cut(suffix, length)))
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}

/** Never splits a surrogate pair: PostgreSQL refuses half of one. */
export function cut(suffix: string, length: number): string {
  const short = suffix.slice(0, length)
  return short.isWellFormed() ? short : short.slice(0, -1)
}

/**
 * The keys to find everything below, each with a suffix. Where an entry would be read for too many suffixes, the topmost key
 * above it replaces all keys below that, with a limited list of suffixes. It finds at least as much.
 */
export function limitRanges(keys: readonly IndexKey[]): readonly IndexKey[] {
  if (keys.length <= mostSuffixes) return keys
  const counts = new Map<string, number>()
  for (const { key } of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  const above = (key: string) => prefixesAbove(key).filter((prefix) => counts.has(prefix))
  const topOf = new Map(Array.from(counts.keys(), (key) => [key, above(key)[0] ?? key]))
  /** An entry below the key is read as often. */
  const readings = (key: string) => above(key).reduce((sum, prefix) => sum + (counts.get(prefix) ?? 0), 0)
  const limited = new Map<string, Set<string>>()
  for (const [key, top] of topOf) if (readings(key) > mostSuffixes) limited.set(top, new Set())
  const kept: IndexKey[] = []
  for (const pair of keys) {
    const tails = limited.get(topOf.get(pair.key) ?? pair.key)
    if (tails) tails.add(pair.tail)
    else kept.push(pair)
  }
  const replaced = Array.from(limited, ([key, tails]) =>
    Array.from(limitSuffixes(tails), (tail) => ({ key, tail, extent: PART }) as const),
  )
  return [...kept, ...replaced.flat()]
}
