import type { Context } from '../context.ts'
import { observesPullRequests } from '../observed/is-observed.ts'
import { findObservedRepository } from '../observed/observed-repositories-store.ts'

export const reportStates = ['active', 'off', 'permission_missing'] as const

/** Whether check runs are written on the pull requests of a repository. */
export interface ReportState {
  state: (typeof reportStates)[number]
  /** Where the owner of the installation approves the permission that is missing. */
  approve_url: string | null
}

const off: ReportState = { state: 'off', approve_url: null }

/** Decides by what is saved. No request to GitHub is made (docs/rules.md#reports). */
export async function reportStateOf({ db, repository, settings, writesReports }: Context): Promise<ReportState> {
  if (!writesReports || settings.pull_request_report === 'off' || !observesPullRequests(settings)) return off
  const observed = await findObservedRepository(db.prisma, repository.id)
  if (!observed?.by_app) return off
  if (observed.may_write_checks) return { state: 'active', approve_url: null }
  return { state: 'permission_missing', approve_url: observed.installation_url }
}
