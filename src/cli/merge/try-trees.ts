import { mergeHeads } from './git/merge-heads.ts'
import type { StoreGit } from './git/read-blobs.ts'
import { judgeMerge, judgeTarget } from './judge-merges.ts'
import { pathsInConflict } from './merge-conflicts.ts'
import type { MergeReason } from './merge-result.ts'
import type { OwnCommit, PresentHead, TriedHeads } from './try-files.ts'

const failed = { failed: 'failed' } as const

/** Merges the own work and all heads into the target branch, and then the own work with each of them, by two processes. */
export async function tryTrees(
  at: StoreGit,
  heads: readonly PresentHead[],
  own: OwnCommit,
  branch: string,
  missing: MergeReason,
): Promise<TriedHeads> {
  const { tip, mine } = own
  const first = [mine, ...heads.map(({ head }) => head)].map((commit): [string, string] => [tip, commit])
  const [ownMerge = failed, ...theirs] = await mergeHeads(first, at, missing)
  // With what conflicts with the target in theirs: those files are left out when they are judged.
  const both = heads.flatMap(({ head }, index): [string, string][] => {
    const their = theirs[index]
    return their && 'tree' in their ? [[at.store.commit(their.tree, [tip, head]), mine]] : []
  })
  const merges = await mergeHeads(both, at, missing)
  const side = { ...own, mine: ownMerge }
  return {
    tried: heads.map(({ candidate, head }, index) => {
      const their = theirs[index] ?? failed
      return judgeMerge(side, candidate, head, their, 'tree' in their ? (merges.shift() ?? failed) : their)
    }),
    target: judgeTarget(branch, tip, side),
    merged: heads.flatMap((present, index) => {
      const their = theirs[index]
      if (!their || 'failed' in their) return []
      return { ...present, tree: their.tree, files: new Map(), leftOut: pathsInConflict(their) }
    }),
  }
}
