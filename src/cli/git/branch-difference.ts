import type { SavedWork } from '../client/work-state-file.ts'
import { type BaseBranch, findBases, usualDefaults } from './base-branch.ts'
import { withoutOwnHooks } from './ignore-own-hooks.ts'
import type { WorkTree } from './work-tree.ts'

/**
 * Whether a branch certainly equals its base: no commit of its own, and no staged, changed or untracked file where it is
 * checked out. A null branch is the detached head. False where that is not known.
 */
export async function isSameAsBase(
  tree: WorkTree,
  branch: string | null,
  work: Pick<SavedWork, 'base'>,
): Promise<boolean> {
  // The commit of an earlier detached head is not saved.
  if (branch === null && tree.branch !== null) return false
  if (branch === tree.branch && (await withoutOwnHooks(tree)).length > 0) return false
  const { base, defaultBranch } = await findBases({ ...tree, branch }, work.base)
  // The first ref is that of the home remote: a commit that only a fork or a local branch contains counts as a difference.
  const [baseRef] = base?.refs ?? []
  if (!base || baseRef === undefined || mayBePushedTo(tree, branch, base, defaultBranch)) return false
  const tip = branch === null ? 'HEAD' : `refs/heads/${branch}`
  const { code, stdout } = await tree.git('rev-list', '--max-count=1', tip, `^${baseRef}`, '--')
  return code === 0 && stdout === ''
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
