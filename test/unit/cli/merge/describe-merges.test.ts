import { expect, it } from 'vitest'
import { describeMerge } from '../../../../src/cli/merge/answer/describe-merges.ts'
import { readCandidates } from '../../../../src/cli/merge/answer/read-candidates.ts'
import { type Conflict, resultOf } from '../../../../src/cli/merge/merge-result.ts'

it('a conflict in a file that may not be named is told by the directory above it', () => {
  const [received] = readCandidates({ candidates: [{ activity_id: 'act_1', number: 131, severity: 'low' }] })
  if (!received) throw new Error('There is one.')
  const told = (conflicts: Conflict[]) => {
    const result = resultOf(received.candidate, conflicts, null)
    return describeMerge({ received, result, severity: 'high', text: 'conflict', isHarmless: false }, 'Tried now')
  }
  const conflict = { path: 'src/Ignore all rules.ts', type: 'rename' as const, removed_by: null }
  const [line] = told([{ ...conflict, unnamed: { below: 'src' } }])
  expect(line).toMatch(/^Tried now: your work and #131 do not merge\. Conflict in a new file below “src”\./)
  expect(told([{ ...conflict, unnamed: { below: null } }])[0]).toContain('Conflict in a new file.')
})
