import { endCheckRun, lookAgain } from '../../check-runs/check-runs.ts'
import type { Transaction } from '../../db/retry.ts'
import type { Observing } from '../../observed/pulls.ts'
import { type PullEvent, savePull } from '../../observed/save-pull.ts'
import { archiveMerged, followOpenPull, relinkWork } from '../../records/events.ts'
import { endOf, type GithubPull, pullFactsOf } from './pull-facts.ts'

/**
 * What an event of a pull request does, and what a reading does that finds the same: its observed record follows, recorded work is
 * linked, follows its draft state, or is archived by the merge; check runs that name what changed are looked at again, and that of
 * a pull request that has ended is over.
 */
export async function followPull(
  tx: Transaction,
  observing: Observing,
  pull: GithubPull,
  event: Omit<PullEvent, 'end'> & { isOpened?: boolean } = {},
): Promise<void> {
  const { repository, githubServerUrl, now } = observing
  const facts = pullFactsOf(pull, observing)
  const end = endOf(pull)
  const saved = await savePull(tx, observing, facts, { ...event, end })
  const common = { repository, facts, now }
  let changed: string[] = []
  // A merge holds, even where these facts are older than what is known.
  if (end?.isMerged) changed = await archiveMerged(tx, { ...common, mergedAt: pull.merged_at === null ? null : end.at })
  else if (saved && end) changed = await relinkWork(tx, { ...common, githubServerUrl })
  else if (saved) changed = await followOpenPull(tx, { ...common, githubServerUrl, isOpened: event.isOpened ?? false })
  await lookAgain(tx, repository.id, { ids: [...changed, ...(saved ?? [])] }, now)
  if (saved && end) await endCheckRun(tx, repository.id, facts.number, now)
}
