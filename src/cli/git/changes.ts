import { type CollapseLimits, collapsePaths } from '../../changes/collapse-paths.ts'
import type { BaseBranch } from './base-branch.ts'
import { splitNul } from './git.ts'
import { withoutOwnHooks } from './ignore-own-hooks.ts'
import { findMergeBase } from './merge-base.ts'
import type { WorkTree } from './work-tree.ts'

export interface WorkTreeChanges {
  /** Globs from the top of the work tree. */
  globs: string[]
  /** Which changes are not counted, as a sentence. */
  note?: string
}

/**
 * The changed files of the work tree: the difference to the merge base with the base branch, and staged, unstaged and
 * untracked files, except our own hooks. A rename counts with both names (docs/rules.md#changed-files).
 */
export async function findChanges(
  tree: WorkTree,
  base: BaseBranch | null,
  limits?: CollapseLimits,
): Promise<WorkTreeChanges> {
  const uncommitted = await withoutOwnHooks(tree)
  const { commit, note } = await findMergeBase(tree, base)
  const committed = commit === undefined || commit === tree.head ? [] : await committedPaths(tree, commit)
  const globs = collapsePaths([...new Set([...committed, ...uncommitted])].filter(isReadable), limits)
  return { globs, ...(note !== undefined && { note }) }
}

async function committedPaths({ git }: WorkTree, commit: string): Promise<string[]> {
  const options = ['--name-only', '-z', '--no-renames', '--no-relative', '--no-ext-diff']
  const { stdout } = await git('diff', ...options, commit, 'HEAD', '--')
  return splitNul(stdout)
}

/** Whether the name is UTF-8. Node replaces what is not. */
export function isReadable(path: string): boolean {
  return !path.includes('\ufffd')
}
