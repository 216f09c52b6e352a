import { isDeepStrictEqual } from 'node:util'
import { AppError } from '../../../../core/errors.ts'
import type { ActivityUpdate } from '../../../../core/schemas/activity.ts'
import type { ActivityRow } from '../activities.sql.ts'

/** The fields of observed work that a caller may set. No event overwrites them then (docs/rules.md#observed-work). */
const editable = ['title', 'summary', 'risk', 'blocking', 'agent', 'scope'] as const

/**
 * The fields of observed work that follow GitHub. A caller may only set its status to an ended one, which puts it
 * aside.
 */
const following = ['pr_url', 'branch', 'base_branch', 'draft_pr', 'issues', 'issues_from'] as const

/** The fields that a caller has set, with those of this update. */
export function editedFields({ edited_fields }: Pick<ActivityRow, 'edited_fields'>, update: ActivityUpdate): string[] {
  return editable.filter((field) => edited_fields.includes(field) || update[field] !== undefined)
}

/** Throws `observed` if the update would change what follows GitHub. */
export function assertObservedUpdate(row: ActivityRow, update: ActivityUpdate): void {
  const field = following.find((name) => update[name] !== undefined && !isDeepStrictEqual(update[name], row[name]))
  if (field !== undefined) throw followsGithub(row, field)
  const { status } = update
  const ends = status === 'abandoned' || status === 'archived'
  if (row.ended_at === null && status !== undefined && status !== row.status && !ends)
    throw followsGithub(row, 'status')
}

function followsGithub({ source }: ActivityRow, field: string): AppError {
  const what = source === 'branch' ? 'branch' : 'pull request'
  const follow = field === 'issues' ? 'follow GitHub. Change them there' : 'follows GitHub. Change it there'
  return new AppError('observed', `The ${field} of an observed ${what} ${follow}.`)
}
