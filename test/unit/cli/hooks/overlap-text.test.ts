import { describe, expect, it } from 'vitest'
import { overlapFacts } from '../../../../src/cli/hooks/overlap-text.ts'

const overlap = {
  overlap_detected: true,
  severity: 'high',
  reason: 'From outside, “evil0” has pull request #7 (act_1), and 2 more of “evil0”.\n',
  related_activity_ids: ['act_1', 'act_2', 'act_3'],
}

describe('the overlap for a model', () => {
  it('is every line of the reason where nothing was shown before', () => {
    expect(overlapFacts(overlap)).toEqual([expect.stringMatching(/^Headsup, high severity\./), overlap.reason.trim()])
  })

  it('is nothing where all lines were shown before, although what they count is new', () => {
    expect(overlapFacts(overlap, ['act_1'])).toEqual([])
  })
})
