import { describe, expect, it } from 'vitest'
import { overlapAdvice, overlapFacts, withParent } from '../../../../src/cli/hooks/overlap-text.ts'

const line = (kind: string, text: string, ...ids: string[]) => ({ kind, text, ids })
const outside = 'From outside, “evil0” has pull request #7, and 2 more of “evil0”.'
const overlap = {
  overlap_detected: true,
  severity: 'high',
  messages: [line('collision', outside, 'act_1'), line('advice', 'Talk.', 'act_1')],
  related_activity_ids: ['act_1', 'act_2', 'act_3'],
}
const heading = expect.stringMatching(/^Headsup, high severity\./)

describe('the overlap for a model', () => {
  it('is every line but the advice, with ids, where nothing was shown before', () => {
    expect(overlapFacts(overlap)).toEqual([heading, `${outside} [act_1]`])
  })

  it('has the own other work after that of other people and the notables, and before what is only counted', () => {
    const [own, other] = [line('collision', 'Your own.', 'act_2'), line('collision', 'Carol.', 'act_1')]
    const [notable, rest] = [line('notable', 'Careful.', 'ntb_1'), line('collision', 'And 2 more.')]
    const collisions = [{ activity_id: 'act_2', own: true }, { activity_id: 'act_1' }]
    const all = { ...overlap, collisions, messages: [own, other, notable, rest] }
    expect(overlapFacts(all).slice(1)).toEqual(['Carol. [act_1]', 'Careful. [ntb_1]', 'Your own. [act_2]', rest.text])
  })

  it('is nothing where all lines were shown before, although what they count is new', () => {
    expect(overlapFacts(overlap, ['act_1'])).toEqual([])
  })

  it('leaves out the lines about what was shown, whatever names other lines quote', () => {
    const other = line('collision', '“act_1” is working here.', 'act_2')
    const near = line('nearby', 'Near: two works.', 'act_1', 'act_4')
    const all = { ...overlap, messages: [...overlap.messages, other, near] }
    expect(overlapFacts(all, ['act_1'])).toEqual([
      expect.stringMatching(/^Headsup\. /),
      `${other.text} [act_2]`,
      `${near.text} [act_1, act_4]`,
    ])
  })

  it('is the whole reason of an older service, which says nothing about its lines', () => {
    const { messages: _, ...older } = { ...overlap, reason: 'One.\nTwo.\n', recommended_action: 'Talk.\n' }
    expect(overlapFacts(older)).toEqual([heading, 'One.', 'Two.'])
    expect(overlapFacts(older, ['act_1'])).toHaveLength(3)
  })
})

describe('the overlap for a person', () => {
  it('has no ids, and the advice where everything is new', () => {
    expect(overlapAdvice(overlap)).toEqual([heading, outside, 'What to do next:', 'Talk.'])
  })
})

describe('the overlaps of a fork and its parent', () => {
  const parent = { repository: 'acme/app', overlap: { ...overlap, notables: [{ id: 'ntb_1' }] } }

  it('become one, under a heading', () => {
    const own = { ...overlap, severity: 'low', related_activity_ids: ['act_9'], notables: [{ id: 'ntb_2' }] }
    const both = withParent(own, parent)
    expect(both).toMatchObject({ severity: 'high', notables: [{ id: 'ntb_2' }, { id: 'ntb_1' }] })
    expect(overlapFacts(both)).toHaveLength(4)
    expect(overlapAdvice(both).filter((text) => text === 'Talk.')).toHaveLength(1)
  })

  it('has what was merged for the issue in the parent, where nothing overlaps there', () => {
    const reuse_opportunities = [{ activity_id: 'act_9', issues: [42] }]
    const clear = { overlap_detected: false, clear: true, messages: [] }
    const parent = { repository: 'up/shop', overlap: { ...clear, reuse_opportunities } }
    expect(withParent(clear, parent)).toEqual({ ...clear, reuse_opportunities })
  })

  it('are those of the parent where the fork has none', () => {
    const both = withParent({ overlap_detected: false, clear: true, messages: [] }, parent)
    expect(overlapFacts(both)).toEqual([heading, expect.stringContaining('acme/app'), `${outside} [act_1]`])
  })
})
