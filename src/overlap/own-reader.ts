import type { ActivityRow } from '../activity/activities.sql.ts'
import { loadDetailRows } from '../activity/details/details.sql.ts'
import type { DetailRow } from '../activity/details/details.ts'
import type { Context } from '../context.ts'
import { listFor } from '../lib/maps.ts'
import { loadCommitsOfMany } from './candidates/observed.sql.ts'
import { mayBeObserved, type OwnReader, pullNumberOf } from './check-proposal.ts'

/** Reads the changes of several stored activities at once. */
export async function readerOfMany(context: Context, rows: readonly ActivityRow[]): Promise<OwnReader> {
  const { db, now, repository, viewer } = context
  const observed = await viewer.mayReadPullRequests()
  const asked = rows.filter((row) => row.has_changes || (observed && mayBeObserved(row)))
  const details = new Map<string, DetailRow[]>()
  for (const row of await loadDetailRows(db, asked, { now, files: true, observed })) listFor(details, row.id).push(row)
  // The commits matter only where GitHub's changes are known.
  const seen = observed ? asked.filter(({ id }) => details.get(id)?.some(({ by }) => by === 'github')) : []
  const pullNumbers = seen.flatMap((row) => pullNumberOf(row) ?? [])
  const branches = seen.flatMap((row) => (pullNumberOf(row) === null ? (row.branch ?? []) : []))
  const commits = seen.length > 0 ? await loadCommitsOfMany(db, repository.id, { pullNumbers, branches }) : undefined
  return {
    details: async ({ id }) => details.get(id) ?? [],
    commits: async (own) => {
      const number = pullNumberOf(own)
      const found = number === null ? commits?.byBranch.get(own.branch ?? '') : commits?.byNumber.get(number)
      return found ?? []
    },
  }
}
