import { collapseLimits, collapsePaths } from '../../changes/collapse-paths.ts'
import { type BaseBranch, usualDefaults } from './base-branch.ts'
import { splitNul } from './git.ts'
import { withoutOwnHooks } from './ignore-own-hooks.ts'
import type { WorkTree } from './work-tree.ts'

export interface Changes {
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
  limit: number = collapseLimits.globs,
): Promise<Changes> {
  const { git, hasCommits, branch } = tree
  const uncommitted = await withoutOwnHooks(tree)
  const uncommittedOnly = { globs: collapsePaths(uncommitted, limit) }
  // The default branch has no base branch.
  if (!hasCommits || (!base && branch !== null && usualDefaults.includes(branch))) return uncommittedOnly
  if (!base)
    return {
      ...uncommittedOnly,
      note: 'No base branch is known, so only uncommitted changes count: name it by --base.',
    }
  if (base.refs.length === 0) {
    return {
      ...uncommittedOnly,
      note: `git does not know ${base.name} here, so only uncommitted changes count: fetch it first.`,
    }
  }
  const mergeBase = (await git('merge-base', 'HEAD', ...base.refs)).stdout.trim()
  const diff =
    mergeBase === ''
      ? undefined
      : await git(
          'diff',
          '--name-only',
          '-z',
          '--no-renames',
          '--no-relative',
          '--no-ext-diff',
          mergeBase,
          'HEAD',
          '--',
        )
  if (diff?.code !== 0) {
    return {
      ...uncommittedOnly,
      note: `No common commit with ${base.name} was found (a shallow clone?), so only uncommitted changes count.`,
    }
  }
  return { globs: collapsePaths([...new Set([...splitNul(diff.stdout), ...uncommitted])], limit) }
}
