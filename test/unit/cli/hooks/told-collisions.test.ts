import { expect, it } from 'vitest'
import { knownCollisions } from '../../../../src/cli/hooks/told-collisions.ts'

it.each([
  ['that was not told', { act_a: 'low' }, {}, []],
  ['that was told with the same severity', { act_a: 'low' }, { act_a: 'low' }, ['act_a']],
  ['that was worse when it was told', { act_a: 'low' }, { act_a: 'high' }, ['act_a']],
  ['that is worse now', { act_a: 'high', act_b: 'low' }, { act_a: 'medium', act_b: 'low' }, ['act_b']],
  ['that was only counted, and is described now', { act_a: 'low' }, { act_a: '' }, []],
  ['that was described, and is only counted now', { act_a: '' }, { act_a: 'low' }, ['act_a']],
])('a collision %s: %j after %j leaves out %j', (_, found, told, known) => {
  expect(knownCollisions(found, told)).toEqual(known)
})
