import { type BaseBranch, usualDefaults } from './base-branch.ts'
import type { WorkTree } from './work-tree.ts'

export interface MergeBase {
  /** What the work tree is compared with; undefined where only uncommitted changes are known. */
  commit?: string
  /** Why committed changes do not count, as a sentence. */
  note?: string
}

/** The commit that the work began at: the merge base with the base branch. The default branch has no base branch. */
export async function findMergeBase(tree: WorkTree, base: BaseBranch | null): Promise<MergeBase> {
  const { branch, head } = tree
  if (head === null) return {}
  if (!base && branch !== null && usualDefaults.includes(branch)) return { commit: head }
  if (!base) return { note: 'No base branch is known, so only uncommitted changes count: name it by --base.' }
  if (base.refs.length === 0) {
    return { note: `git does not know ${base.name} here, so only uncommitted changes count: fetch it first.` }
  }
  const commit = await commonCommit(tree, base.refs)
  if (commit !== '') return { commit }
  return {
    note: `No common commit with ${base.name} was found (a shallow clone?), so only uncommitted changes count.`,
  }
}

/** While a commit of the base branch is being merged, the work tree has its changes, so it is the merge base already. */
async function commonCommit({ git, mergeHead }: WorkTree, refs: readonly string[]): Promise<string> {
  const mergeBase = async (commit: string) => (await git('merge-base', commit, ...refs)).stdout.trim()
  if (mergeHead !== null && (await mergeBase(mergeHead)) === mergeHead) return mergeHead
  return mergeBase('HEAD')
}
