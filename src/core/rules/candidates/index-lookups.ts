import { getOrCreate } from '../../lib/maps.ts'
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
} from '../../scope/index/index-keys.ts'
import type { ProposedScope } from '../../scope/parse-scope.ts'
import { cut, limitRanges, limitSuffixes } from './limit-suffixes.ts'

/** Each start of a suffix is looked up by itself. What agrees with a suffix agrees with its starts. */
const longestSuffix = 64

/** What to look up in the index of scopes. The lookups find every record that could overlap the proposal. */
export interface IndexLookups {
  /** Keys to look up, each with the suffixes of which one has to agree. */
  exact: Map<string, ReadonlySet<string>>
  /** The keys that the scope covers as a whole, or as one file. */
  coverageByKey: Map<string, Coverage>
  /** Whether keys show which records name a file of the scope. False for a path with brackets, and for a path too long for a key. */
  keysShowFiles: boolean
  /** Keys to find everything below, each with the suffix that has to agree; `after` ends the range. */
  below: (IndexKey & { after: string })[]
  /** For globs that begin with a wildcard: suffixes to look up at any key. */
  suffixes: string[]
  /** For globs that begin with a wildcard: suffixes to find every longer one of. */
  suffixRanges: { suffix: string; after: string }[]
  /** Whether a glob is open at both ends: then every record with paths is a candidate. */
  everything: boolean
  /** Area keys. */
  areas: string[]
  /** Issues: work that names one of them is found. Notables have none. */
  issues: readonly number[]
}

/**
 * The lookups of a scope. A path in two globs starts with the keys of both, as whole segments, and ends with the suffixes of
 * both. So one of the two keys starts with the other, and so do the suffixes. `areas` are further areas to look up: those
 * whose globs, by the settings, intersect the scope.
 */
export function indexLookups(
  scope: ProposedScope,
  areas: readonly string[],
  issues: readonly number[] = [],
): IndexLookups {
  const keys = indexKeys([...scope.globs, ...scope.areaGlobs.map(({ glob }) => glob)])
  const anchored = keys.filter(({ key }) => key !== '')
  const open = keys.filter(({ key }) => key === '').map(({ tail }) => tail)
  const suffixes = [...new Set(open.filter((suffix) => suffix !== '').map((suffix) => cut(suffix, longestSuffix)))]
  const coverageByKey = coveragesOf(keys, scope.files)
  return {
    exact: suffixesByKey(anchored),
    coverageByKey,
    keysShowFiles: [...scope.files.keys()].every((file) => hasOwnKey(file, coverageByKey)),
    below: limitRanges(anchored).map((lookup) => ({ ...lookup, after: endOfRange(lookup.key) })),
    suffixes: [...new Set(suffixes.flatMap(startsOf))],
    suffixRanges: suffixes.map((suffix) => ({ suffix, after: endOfRange(suffix) })),
    everything: open.includes(''),
    areas: [...new Set([...scope.areaKeys, ...areas])],
    issues,
  }
}

/** A file that only the settings name, for an area, counts as a directory: the scope itself does not name it. */
function coveragesOf(keys: readonly IndexKey[], files: ProposedScope['files']): Map<string, Coverage> {
  const coverages = new Map<string, Coverage>()
  for (const { key, extent } of keys) if (extent !== PART) coverages.set(key, WHOLE)
  for (const { key, extent } of keys) if (extent === FILE && files.has(key.slice(0, -1))) coverages.set(key, FILE)
  return coverages
}

/** A bracket in a path ends the key of every glob that does not escape it, so other globs may name the file by a shorter key. */
function hasOwnKey(file: string, coverageByKey: ReadonlyMap<string, Coverage>): boolean {
  return !file.includes('[') && coverageByKey.get(`${file}/`) === FILE
}

/** Each key and its prefixes, with the suffixes of the keys that start with it, or a shorter list that finds as much. */
function suffixesByKey(keys: readonly IndexKey[]): Map<string, ReadonlySet<string>> {
  const suffixes = new Map<string, Set<string>>()
  for (const { key, tail } of keys) {
    for (const prefix of prefixesAbove(key)) getOrCreate(suffixes, prefix, () => new Set<string>()).add(tail)
  }
  return new Map([...suffixes].map(([key, all]) => [key, limitSuffixes(all)]))
}
