import { describe, expect, it } from 'vitest'
import {
  bySeverity,
  closest,
  collisionSeverity,
  isGrave,
  notableSeverity,
  worst,
} from '../../../src/core/rules/severity.ts'
import { parseScope } from '../../../src/core/scope/parse-scope.ts'
import { compareScopes } from '../../support/compare-scopes.ts'

function overlapOf(paths: string[], otherPaths: string[]) {
  const found = compareScopes(parseScope({ areas: ['a'], paths }), parseScope({ areas: ['a'], paths: otherPaths }))
  if (!found) throw new Error('These scopes do not overlap')
  return found
}
const area = overlapOf([], [])
const paths = overlapOf(['src/**'], ['src/a.ts'])
const file = overlapOf(['src/a.ts'], ['src/a.ts'])
const plain = { blocking: false, risk: 'medium' } as const

describe('severity', () => {
  it('of a collision depends on what is shared', () => {
    expect([area, paths, file].map((found) => collisionSeverity(closest(found), isGrave(plain)))).toEqual([
      'low',
      'medium',
      'high',
    ])
  })

  it.each([
    { blocking: true },
    { risk: 'high' as const },
    { risk: 'critical' as const },
    { blocking: true, risk: 'critical' as const },
  ])('is one step higher, to high at most, for %j', (weight) => {
    const all = [area, paths, file].map((found) => collisionSeverity(closest(found), isGrave({ ...plain, ...weight })))
    expect(all).toEqual(['medium', 'high', 'high'])
  })

  it('of a notable depends on its importance, and is high if it is blocking', () => {
    const of = (importance: 'low' | 'medium' | 'high' | 'critical', blocking = false) =>
      notableSeverity({ importance, blocking })
    expect([of('low'), of('medium'), of('high'), of('critical'), of('low', true)]).toEqual([
      'low',
      'low',
      'medium',
      'high',
      'high',
    ])
  })

  it('is compared by `worst` and sorted by `bySeverity`, the worst first', () => {
    expect(worst([])).toBeNull()
    expect(worst(['low', 'high', 'medium'])).toBe('high')
    const all = (['low', 'high', 'medium'] as const).map((severity) => ({ severity })).toSorted(bySeverity)
    expect(all.map(({ severity }) => severity)).toEqual(['high', 'medium', 'low'])
  })
})
