import { collapsePaths } from '../../../core/changes/collapse-paths.ts'
import type { FileChange } from '../../../core/changes/file-change.ts'
import { mostFilesCompared } from '../../../core/changes/limits.ts'
import { accountColumns, cutTitle } from '../observed-columns.ts'
import type { PushedBranchRow } from './pushed-branch.ts'

/** The columns of an activity that follow the last push of its branch (docs/rules.md#pushed-branches). */
export function branchColumns(
  { branch, pusher_login, pusher_id }: Pick<PushedBranchRow, 'branch' | 'pusher_login' | 'pusher_id'>,
  { baseBranch, files }: { baseBranch: string; files: readonly FileChange[] },
) {
  return {
    title: cutTitle(branch) || 'Pushed branch',
    summary: `Pushed branch: ${countOf(files)}`,
    ...accountColumns(pusher_login, pusher_id),
    branch,
    base_branch: baseBranch,
    paths: collapsePaths(files.map(({ path }) => path)),
  }
}

function countOf({ length }: readonly FileChange[]): string {
  return `${length} ${length === 1 ? 'file' : 'files'}${length >= mostFilesCompared ? ' or more' : ''}`
}
