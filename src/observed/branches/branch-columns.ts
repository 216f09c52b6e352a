import { collapsePaths } from '../../changes/collapse-paths.ts'
import type { FileChange } from '../../changes/file-change.ts'
import { codingAgent } from '../coding-agents.ts'
import { mostFilesCompared, type PushedBranchRow } from './pushed-branch.ts'

/** In characters (Unicode code points). */
const longestTitle = 200

/** GitHub's own account for accounts that were deleted. */
const deletedAccount = 'ghost'

/** The columns of an activity that follow the last push of its branch (docs/rules.md#pushed-branches). */
export function branchColumns(
  { branch, pusher_login, pusher_id }: Pick<PushedBranchRow, 'branch' | 'pusher_login' | 'pusher_id'>,
  { baseBranch, files }: { baseBranch: string; files: readonly FileChange[] },
) {
  return {
    title: Array.from(branch).slice(0, longestTitle).join('').trim() || 'Pushed branch',
    summary: `Pushed branch: ${countOf(files)}`,
    actor: pusher_login ?? deletedAccount,
    agent: pusher_login === null ? null : codingAgent(pusher_login),
    branch,
    base_branch: baseBranch,
    paths: collapsePaths(files.map(({ path }) => path)),
    author_login: pusher_login,
    author_id: pusher_id,
  }
}

function countOf({ length }: readonly FileChange[]): string {
  return `${length} ${length === 1 ? 'file' : 'files'}${length >= mostFilesCompared ? ' or more' : ''}`
}
