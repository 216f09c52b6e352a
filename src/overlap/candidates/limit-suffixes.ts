import { listFor } from '../../lib/maps.ts'
import { type IndexKey, PART } from '../../scope/index/index-keys.ts'

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

/** A key that no other key is a prefix of, with the keys that start with it. */
interface KeyFamily {
  top: string
  keys: string[]
  /** The greatest number of suffixes on the way from the top to a key: an entry below that key is read as often. */
  suffixes: number
}

/**
 * The keys to find everything below, each with a suffix. Where an entry would be read for too many suffixes, the topmost key
 * replaces its family, with a limited list of suffixes. It finds at least as much.
 */
export function limitRanges(keys: readonly IndexKey[]): readonly IndexKey[] {
  if (keys.length <= mostSuffixes) return keys
  const keysOf = new Map<string, IndexKey[]>()
  for (const key of keys) listFor(keysOf, key.key).push(key)
  const families = familiesOf(keysOf)
  if (families.every(({ suffixes }) => suffixes <= mostSuffixes)) return keys
  return families.flatMap(({ top, keys: own, suffixes: count }) => {
    const pairs = own.flatMap((key) => keysOf.get(key) ?? [])
    if (count <= mostSuffixes) return pairs
    return [...limitSuffixes(new Set(pairs.map(({ tail }) => tail)))].map((tail) => ({ key: top, tail, extent: PART }))
  })
}

function familiesOf(keysOf: ReadonlyMap<string, readonly IndexKey[]>): KeyFamily[] {
  const families: KeyFamily[] = []
  /** The prefixes of the current key among the keys, the shortest first. */
  const above: { key: string; suffixes: number }[] = []
  for (const key of [...keysOf.keys()].sort()) {
    while (!key.startsWith(above.at(-1)?.key ?? '')) above.pop()
    const suffixes = (above.at(-1)?.suffixes ?? 0) + (keysOf.get(key)?.length ?? 0)
    if (above.length === 0) families.push({ top: key, keys: [], suffixes: 0 })
    above.push({ key, suffixes })
    const family = families.at(-1)
    family?.keys.push(key)
    if (family) family.suffixes = Math.max(family.suffixes, suffixes)
  }
  return families
}
