import { expect, it } from 'vitest'
import { collisionsIn, knownCollisions } from '../../../../src/cli/hooks/told-collisions.ts'

const byId = (severities: Record<string, string>) =>
  Object.entries(severities).map(([id, severity]) => ({ id, keys: [id], severity }))

it.each([
  ['that was not told', { act_a: 'low' }, {}, []],
  ['that was told with the same severity', { act_a: 'low' }, { act_a: 'low' }, ['act_a']],
  ['that was worse when it was told', { act_a: 'low' }, { act_a: 'high' }, ['act_a']],
  ['that is worse now', { act_a: 'high', act_b: 'low' }, { act_a: 'medium', act_b: 'low' }, ['act_b']],
  ['that was only counted, and is described now', { act_a: 'low' }, { act_a: '' }, []],
  ['that was described, and is only counted now', { act_a: '' }, { act_a: 'low' }, ['act_a']],
])('a collision %s: %j after %j leaves out %j', (_, found, told, known) => {
  expect(knownCollisions(byId(found), told)).toEqual(known)
})

const item = (more: object) => ({
  activity_id: 'act_1',
  severity: 'high',
  actor: 'Bob',
  branch: 'x',
  pr_url: null,
  ...more,
})
const pullRequest = 'https://github.com/o/r/pull/1'

it.each<[string, object, object, boolean]>([
  ['a new record of the branch', {}, { activity_id: 'act_2' }, true],
  ['the pull request of the branch', {}, { activity_id: 'act_2', pr_url: pullRequest }, true],
  [
    'a new record of the pull request',
    { pr_url: pullRequest },
    { activity_id: 'act_2', branch: null, pr_url: pullRequest },
    true,
  ],
  ['a worse one', { severity: 'low' }, { activity_id: 'act_2' }, false],
  ['another branch', {}, { activity_id: 'act_2', branch: 'y' }, false],
  ['another person on the branch', {}, { activity_id: 'act_2', actor: 'Carol' }, false],
  ['another record without a branch', { branch: null }, { activity_id: 'act_2', branch: null }, false],
])('after a collision was shown, that with %s: known', (_, first, second, isKnown) => {
  const [told] = collisionsIn({ collisions: [item(first)] })
  const found = collisionsIn({ related_activity_ids: ['act_2'], collisions: [item(second)] })
  expect(found).toHaveLength(1)
  const severities = Object.fromEntries((told?.keys ?? []).map((key) => [key, told?.severity ?? '']))
  expect(knownCollisions(found, severities)).toEqual(isKnown ? ['act_2'] : [])
})
