import { type BaseBranch, usualDefaults } from './base-branch.ts'
import { collapseLimits, collapsePaths } from './collapse-paths.ts'
import { entries } from './git.ts'
import { ignoreOwnHooks } from './ignore-own-hooks.ts'
import type { WorkTree } from './work-tree.ts'

export interface Changes {
  /** Globs of the dialect, from the top. */
  globs: string[]
  /** What could not be counted in, in words. */
  note?: string
}

/**
 * What is changed in the work tree: what differs from the merge base with the base branch, and what is staged, unstaged
 * or untracked, except our own hooks. A rename counts with both names (docs/rules.md#changed-files).
 */
export async function findChanges(
  tree: WorkTree,
  base: BaseBranch | null,
  limit: number = collapseLimits.globs,
): Promise<Changes> {
  const { git, hasCommits, branch } = tree
  const uncommitted = await ignoreOwnHooks(tree)
  const only = { globs: collapsePaths(uncommitted, limit) }
  // The default branch was begun from none.
  if (!hasCommits || (!base && branch !== null && usualDefaults.includes(branch))) return only
  if (!base)
    return { ...only, note: 'No base branch is known here, so only what is not committed counts: name it by --base.' }
  if (base.refs.length === 0) {
    return {
      ...only,
      note: `git does not know ${base.name} here, so only what is not committed counts: fetch it first.`,
    }
  }
  const fork = (await git('merge-base', 'HEAD', ...base.refs)).stdout.trim()
  const diff =
    fork === ''
      ? undefined
      : await git('diff', '--name-only', '-z', '--no-renames', '--no-relative', '--no-ext-diff', fork, 'HEAD', '--')
  if (diff?.code !== 0) {
    return {
      ...only,
      note: `No commit is shared with ${base.name} here (a shallow clone?), so only what is not committed counts.`,
    }
  }
  return { globs: collapsePaths([...new Set([...entries(diff.stdout), ...uncommitted])], limit) }
}
