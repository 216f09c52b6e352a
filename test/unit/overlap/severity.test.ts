import { describe, expect, it } from 'vitest'
import {
  bySeverity,
  closest,
  collisionSeverity,
  isGrave,
  notableSeverity,
  worst,
} from '../../../src/overlap/severity.ts'
import { compareScopes, parseScope } from '../../../src/scope/compare.ts'

function meeting(paths: string[], otherPaths: string[]) {
  const found = compareScopes(parseScope({ areas: ['a'], paths }), parseScope({ areas: ['a'], paths: otherPaths }))
  if (!found) throw new Error('These scopes do not meet')
  return found
}
const area = meeting([], [])
const paths = meeting(['src/**'], ['src/a.ts'])
const file = meeting(['src/a.ts'], ['src/a.ts'])
const calm = { blocking: false, risk: 'medium' } as const

describe('severity', () => {
  it('of a collision goes by what is shared', () => {
    expect([area, paths, file].map((found) => collisionSeverity(closest(found), isGrave(calm)))).toEqual([
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
    const all = [area, paths, file].map((found) => collisionSeverity(closest(found), isGrave({ ...calm, ...weight })))
    expect(all).toEqual(['medium', 'high', 'high'])
  })

  it('of a notable goes by its importance, and is high where it blocks', () => {
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

  it('has a worst, and sorts the worst first', () => {
    expect(worst([])).toBeNull()
    expect(worst(['low', 'high', 'medium'])).toBe('high')
    const all = (['low', 'high', 'medium'] as const).map((severity) => ({ severity })).toSorted(bySeverity)
    expect(all.map(({ severity }) => severity)).toEqual(['high', 'medium', 'low'])
  })
})
