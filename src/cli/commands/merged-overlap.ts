import { type Json, recordList } from '../client/json.ts'
import type { CommandContext } from '../command-context.ts'
import type { Bases } from '../git/base-branch.ts'
import type { OverlapAfterMerges } from '../merge/after-merges.ts'

/** The answer of a check after the merges with its candidates were tried; as it is where it names none. */
export async function mergedOverlap(context: CommandContext, overlap: Json, bases: Bases): Promise<OverlapAfterMerges> {
  if (recordList(overlap, 'candidates').length === 0)
    return { overlap, lines: [], isOverlap: overlap.overlap_detected === true }
  // Loaded here, since most commands try no merge.
  const { tryCandidates } = await import('../merge/try-candidates.ts')
  return tryCandidates(context, overlap, bases)
}
