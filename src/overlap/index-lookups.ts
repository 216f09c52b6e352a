import { getOrCreate } from '../lib/maps.ts'
import type { ProposedScope } from '../scope/compare.ts'
import {
  type Coverage,
  endOfRange,
  FILE,
  type IndexKey,
  indexKeys,
  PART,
  prefixesAbove,
  startsOf,
  WHOLE,
} from '../scope/index/index-keys.ts'
import { limitRanges, limitSuffixes } from './limit-suffixes.ts'

/** What to look up in the index of scopes, so that nothing that could overlap the proposal is missed. */
export interface IndexLookups {
  /** Keys to find as they are, each with the tails of which one has to agree. */
  exact: Map<string, ReadonlySet<string>>
  /** The keys at which the scope means all that lies there, or the one file. */
  extents: Map<string, Coverage>
  /** Whether keys tell of each file that the scope names who else names it: not of one with brackets, or a long name. */
  filesAreKeyed: boolean
  /** Keys to find everything below, each with the tail that has to agree; `after` ends the range. */
  below: (IndexKey & { after: string })[]
  /** For proposals that begin with a wildcard: tails to find as they are, whatever the key. */
  tails: string[]
  /** For those, too: tails to find everything that goes on from them. */
  tailRanges: { tail: string; after: string }[]
  /** A glob with an open beginning and an open end: everything that has paths. */
  everything: boolean
  /** Area keys. */
  areas: string[]
}

/**
 * The probes of a scope. A path in two globs begins with the keys of both, as whole segments, and ends with both tails: so
 * of the keys one begins with the other, and of the tails too. `areas` are further labels to look up: those whose globs,
 * by the settings, meet the scope.
 */
export function indexLookups(scope: ProposedScope, areas: readonly string[]): IndexLookups {
  const keys = indexKeys([...scope.globs, ...scope.areaGlobs.map(({ glob }) => glob)])
  const anchored = keys.filter(({ key }) => key !== '')
  const open = keys.filter(({ key }) => key === '').map(({ tail }) => tail)
  const ended = open.filter((tail) => tail !== '')
  const extents = extentsByKey(keys, scope.files)
  return {
    exact: tailsByKey(anchored),
    extents,
    filesAreKeyed: [...scope.files.keys()].every((file) => isKeyed(file, extents)),
    below: limitRanges(anchored).map((probe) => ({ ...probe, after: endOfRange(probe.key) })),
    tails: [...new Set(ended.flatMap(startsOf))],
    tailRanges: ended.map((tail) => ({ tail, after: endOfRange(tail) })),
    everything: open.includes(''),
    areas: [...new Set([...scope.areaKeys, ...areas])],
  }
}

function extentsByKey(keys: readonly IndexKey[], files: ProposedScope['files']): Map<string, Coverage> {
  const extents = new Map<string, Coverage>()
  for (const { key, extent } of keys) if (extent !== PART) extents.set(key, WHOLE)
  for (const { key, extent } of keys) if (extent === FILE && files.has(key.slice(0, -1))) extents.set(key, FILE)
  return extents
}

/** A bracket in its name ends the key of a glob that does not escape it, and a name may be too long for a key. */
function isKeyed(file: string, extents: ReadonlyMap<string, Coverage>): boolean {
  return !file.includes('[') && extents.get(`${file}/`) === FILE
}

/** Each of the keys and every key above it, with the tails of those that lie there, or few that find as much. */
function tailsByKey(keys: readonly IndexKey[]): Map<string, ReadonlySet<string>> {
  const tails = new Map<string, Set<string>>()
  for (const { key, tail } of keys) {
    for (const above of prefixesAbove(key)) getOrCreate(tails, above, () => new Set<string>()).add(tail)
  }
  return new Map([...tails].map(([key, all]) => [key, limitSuffixes(all)]))
}
