import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { indexLookups } from '../../../../src/core/rules/candidates/index-lookups.ts'
import {
  closenessByIndex,
  type IndexResult,
  resultAtKey,
  resultBelowKey,
  UNDECIDED,
} from '../../../../src/core/rules/candidates/index-result.ts'
import { closest } from '../../../../src/core/rules/severity.ts'
import { type IndexKey, indexKeys, PART, prefixesAbove } from '../../../../src/core/scope/index/index-keys.ts'
import { parseScope } from '../../../../src/core/scope/parse-scope.ts'
import { scope as anyScope, areaMap } from '../../../support/arbitrary/scope.ts'
import { compareScopes } from '../../../support/compare-scopes.ts'

const path = fc.constantFrom('src/**', 'src', 'src/a.ts', 'src/b/x.ts', 'src/*/x.ts', '**/*.ts', 'app/[id].ts', 'app/*')
/** Scopes that often name the same file. */
const commonScope = fc.record({
  areas: fc.constant<string[]>([]),
  paths: fc.array(path, { minLength: 1, maxLength: 3 }),
})
const scope = fc.oneof(anyScope, commonScope, commonScope)
const unknownEntries = fc.array(fc.boolean(), { minLength: 60, maxLength: 60 })

/** The greatest result for entries of one record, as the SQL statement computes it. */
function resultOf(lookups: ReturnType<typeof indexLookups>, entries: readonly IndexKey[]): IndexResult {
  const results = entries.flatMap(({ key, extent }) => [
    ...(lookups.exact.has(key) ? [resultAtKey(lookups.coverageByKey.get(key) ?? PART, extent)] : []),
    ...prefixesAbove(key)
      .filter((prefix) => prefix !== key)
      .map((prefix) => resultBelowKey(lookups.coverageByKey.get(prefix) ?? PART)),
  ])
  return results.reduce((a, b) => (a > b ? a : b), UNDECIDED)
}

describe('what the index decides', () => {
  it('is what comparing the scopes finds, also if the coverage of some entries is unknown', () => {
    const decided = { paths: 0, 'same file': 0 }
    fc.assert(
      fc.property(scope, scope, unknownEntries, (a, b, unknown) => {
        const proposed = parseScope(a, areaMap)
        const recorded = parseScope(b, areaMap)
        const entries = indexKeys(recorded.globs).map(
          (entry, n): IndexKey => (unknown[n] ? { ...entry, extent: PART } : entry),
        )
        const lookups = indexLookups(proposed, [])
        const closeness = closenessByIndex(resultOf(lookups, entries), lookups.keysShowFiles)
        if (closeness === null) return
        decided[closeness]++
        const overlap = compareScopes(proposed, recorded)
        expect(overlap && closest(overlap)).toBe(closeness)
      }),
      { numRuns: 3_000 },
    )
    expect(Math.min(decided.paths, decided['same file'])).toBeGreaterThan(20)
  })
})
