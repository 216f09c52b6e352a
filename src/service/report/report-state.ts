import type { Context } from '../context.ts'
import { observesPullRequests } from '../observed/is-observed.ts'
import { findObservedRepository } from '../observed/observed-repositories-store.ts'

export const reportStates = ['active', 'off', 'permission_missing'] as const

/** Why check runs are off. `not_read`: the App does not read the repository, or has not begun to. */
export const reasonsOfOff = ['no_app', 'shadow', 'setting', 'not_observed', 'not_read'] as const

/** Whether check runs are written on the pull requests of a repository. */
export interface ReportState {
  state: (typeof reportStates)[number]
  /** Null unless they are off. */
  reason: (typeof reasonsOfOff)[number] | null
  /** Where the owner of the installation approves the permission that is missing. */
  approve_url: string | null
}

/** Decides by what is saved. No request to GitHub is made (docs/rules.md#reports). */
export async function reportStateOf(
  { db, repository, settings, writesReports }: Context,
  hasApp: boolean,
): Promise<ReportState> {
  if (!hasApp) return off('no_app')
  if (!writesReports) return off('shadow')
  if (settings.pull_request_report === 'off') return off('setting')
  if (!observesPullRequests(settings)) return off('not_observed')
  const observed = await findObservedRepository(db.prisma, repository.id)
  if (!observed?.by_app) return off('not_read')
  if (observed.may_write_checks) return { state: 'active', reason: null, approve_url: null }
  return { state: 'permission_missing', reason: null, approve_url: observed.installation_url }
}

function off(reason: ReportState['reason']): ReportState {
  return { state: 'off', reason, approve_url: null }
}
