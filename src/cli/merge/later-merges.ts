import { type Json, recordList } from '../client/json.ts'
import { isOverlap, type ParentOverlap } from '../client/work/check-parent.ts'
import type { CommandContext } from '../command-context.ts'
import type { Bases } from '../git/base-branch.ts'
import type { OverlapAfterMerges } from './answer/after-merges.ts'
import { isSwitchedOff } from './switched-off.ts'

/** The merges with the candidates of the answer of a check or a create. */
export interface LaterMerges {
  /** Whether some are tried. */
  isTried: boolean
  /** Tries them: the answer as it is after that. An overlap in the parent of a fork stays one. */
  result(): Promise<OverlapAfterMerges>
}

export function mergesAfter(
  context: CommandContext,
  overlap: Json,
  { bases, parent }: { bases: Bases; parent: ParentOverlap | undefined },
): LaterMerges {
  const hasCandidates = recordList(overlap, 'candidates').length > 0
  return {
    isTried: hasCandidates && !isSwitchedOff(context),
    async result() {
      if (!hasCandidates) return { overlap, messages: [], tried: [], cut: 0, isOverlap: isOverlap(overlap, parent) }
      // Loaded here, since most commands try no merge.
      const { tryCandidates } = await import('./try-candidates.ts')
      const after = await tryCandidates(context, overlap, bases)
      return { ...after, isOverlap: after.isOverlap || parent?.overlap.overlap_detected === true }
    },
  }
}
