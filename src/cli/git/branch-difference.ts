import type { SavedWork } from '../client/work-state-file.ts'
import { type BaseBranch, findBase, usualDefaults } from './base-branch.ts'
import { ignoreOwnHooks } from './ignore-own-hooks.ts'
import type { WorkTree } from './work-tree.ts'

/**
 * Whether a branch, or a detached head where it is null, surely has nothing that its base lacks: no commit, and no staged,
 * changed or untracked file where it is checked out. False where that can't be told.
 */
export async function isSameAsBase(
  tree: WorkTree,
  branch: string | null,
  work: Pick<SavedWork, 'base'>,
): Promise<boolean> {
  // Where a detached head was is not remembered.
  if (branch === null && tree.branch !== null) return false
  if (branch === tree.branch && (await ignoreOwnHooks(tree)).length > 0) return false
  const { base, defaultBranch } = await findBase({ ...tree, branch }, work.base)
  // The first is that of the repository that the work is for: a commit that only a fork or a local branch has counts.
  const [baseRef] = base?.refs ?? []
  if (!base || baseRef === undefined || mayBePushedTo(tree, branch, base, defaultBranch)) return false
  const tip = branch === null ? 'HEAD' : `refs/heads/${branch}`
  const { code, stdout } = await tree.git('rev-list', '--max-count=1', tip, `^${baseRef}`, '--')
  return code === 0 && stdout === ''
}

/** Whether the base is the upstream of the branch and no default branch: then the branch may be pushed there under another name. */
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
