import { listFor } from '../lib/maps.ts'
import { type IndexKey, PART } from '../scope/index/index-keys.ts'

/** Each entry of the index that lies at a key or below it is tested against its tails: 10,000 against 64 take 0.1 s. */
export const mostSuffixes = 64

/** Agrees with every tail, so that the others need not be asked for. */
const openEnd: ReadonlySet<string> = new Set([''])

/**
 * The tails themselves where there are few, and else as much of their beginnings as leaves few. They find at least as much:
 * of two tails that agree one begins with the other, so what agrees with a tail agrees with its beginnings.
 */
export function limitSuffixes(tails: ReadonlySet<string>): ReadonlySet<string> {
  if (tails.has('')) return openEnd
  if (tails.size <= mostSuffixes) return tails
  const sorted = [...tails].sort()
  // Cut to a length, two neighbours differ where they have less in common than that.
  const common = sorted.slice(1).map((tail, at) => commonLength(sorted[at] ?? '', tail))
  const length = common.sort((a, b) => a - b)[mostSuffixes - 1] ?? 0
  return new Set(sorted.map((tail) => cut(tail, length)))
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}

/** Never through a character of two units: half of one is no text to a database. */
function cut(tail: string, length: number): string {
  const short = tail.slice(0, length)
  return short.isWellFormed() ? short : short.slice(0, -1)
}

/** A key that lies below no other, with those below it. */
interface Family {
  top: string
  keys: string[]
  /** How many tails there are on the way down to a key, at most: so often an entry below it would be read. */
  tails: number
}

/**
 * The keys to find everything below, each with a tail: those given, but where an entry would be read for too many of them.
 * There it is the outermost key alone, with few tails of them all, which finds at least as much.
 */
export function limitRanges(keys: readonly IndexKey[]): readonly IndexKey[] {
  if (keys.length <= mostSuffixes) return keys
  const keysOf = new Map<string, IndexKey[]>()
  for (const key of keys) listFor(keysOf, key.key).push(key)
  const families = familiesOf(keysOf)
  if (families.every(({ tails }) => tails <= mostSuffixes)) return keys
  return families.flatMap(({ top, keys: own, tails: count }) => {
    const pairs = own.flatMap((key) => keysOf.get(key) ?? [])
    if (count <= mostSuffixes) return pairs
    return [...limitSuffixes(new Set(pairs.map(({ tail }) => tail)))].map((tail) => ({ key: top, tail, extent: PART }))
  })
}

function familiesOf(keysOf: ReadonlyMap<string, readonly IndexKey[]>): Family[] {
  const families: Family[] = []
  /** The keys above the present one, the outermost first. */
  const above: { key: string; tails: number }[] = []
  for (const key of [...keysOf.keys()].sort()) {
    while (!key.startsWith(above.at(-1)?.key ?? '')) above.pop()
    const tails = (above.at(-1)?.tails ?? 0) + (keysOf.get(key)?.length ?? 0)
    if (above.length === 0) families.push({ top: key, keys: [], tails: 0 })
    above.push({ key, tails })
    const family = families.at(-1)
    family?.keys.push(key)
    if (family) family.tails = Math.max(family.tails, tails)
  }
  return families
}
