import { type BaseBranch, type Bases, usualDefaults } from './base-branch.ts'
import { withoutOwnHooks } from './ignore-own-hooks.ts'
import type { WorkTree } from './work-tree.ts'

/**
 * Whether a branch certainly equals its base: no commit of its own, no stash, and no staged, changed or untracked file in
 * this work tree. Files that were changed on the branch can be here after a switch to another one. A null branch is the
 * detached head. False where that is not known.
 */
export async function isSameAsBase(
  tree: WorkTree,
  branch: string | null,
  { base, defaultBranch }: Bases,
): Promise<boolean> {
  // The commit of an earlier detached head is not saved.
  if (branch === null && tree.branch !== null) return false
  if ((await withoutOwnHooks(tree)).length > 0) return false
  if ((await hasStash(tree, branch)) || (await isCheckedOutElsewhere(tree, branch))) return false
  // The first ref is that of the home remote: a commit that only a fork or a local branch contains counts as a difference.
  const [baseRef] = base?.refs ?? []
  if (!base || baseRef === undefined || mayBePushedTo(tree, branch, base, defaultBranch)) return false
  const tip = branch === null ? 'HEAD' : `refs/heads/${branch}`
  const { code, stdout } = await tree.git('rev-list', '--max-count=1', tip, `^${baseRef}`, '--')
  return code === 0 && stdout === ''
}

/** Whether a stash was made on the branch. */
async function hasStash(tree: WorkTree, branch: string | null): Promise<boolean> {
  const { code, stdout } = await tree.git('stash', 'list', '--format=%gs')
  const name = branch ?? '(no branch)'
  return code !== 0 || stdout.split('\n').some((line) => /^(WIP on|On) /.test(line) && line.includes(` ${name}: `))
}

/** Whether another work tree of the repository has the branch: what is changed there is not known here. */
async function isCheckedOutElsewhere(tree: WorkTree, branch: string | null): Promise<boolean> {
  if (branch === tree.branch) return false
  const { code, stdout } = await tree.git('worktree', 'list', '--porcelain')
  return code !== 0 || stdout.split('\n').includes(`branch refs/heads/${branch}`)
}

/** Whether the branch may be pushed to its base under another name: the base is its upstream, and not a default branch. */
function mayBePushedTo(
  { config }: WorkTree,
  branch: string | null,
  { name }: BaseBranch,
  defaultBranch: string | null,
): boolean {
  const remote = config.get(`branch.${branch}.remote`)
  if (remote === undefined || remote === '.' || name === defaultBranch || usualDefaults.includes(name)) return false
  return config.get(`branch.${branch}.merge`) === `refs/heads/${name}`
}
