import { isObservedPullRequest } from '../../observed/is-observed.ts'
import { observeByApp } from '../../observed/observe-by-app.sql.ts'
import { findObservedRepository } from '../../observed/observed-repositories-store.ts'
import type { PullRequestFacts } from '../../observed/pull-requests/pull-request.ts'
import { savePullRequest } from '../../observed/pull-requests/save-pull-request.ts'
import { pullRequestFacts } from '../pulls/pull-request-payload.ts'
import type { EventRepository, HandlerContext } from './webhook-handler.ts'
import type { PullRequestEvent } from './webhook-payloads.ts'

export interface ObservedPull {
  facts: PullRequestFacts
  /** Wakes the jobs that read what the event marked. */
  wake(counts?: { unread: number }): void
}

/**
 * The pull request of an event where it is observed. Null where the settings exclude it, where neither the App nor callers read
 * the repository, and for a payload that lacks a field of an observed pull request, such as a hand-made one.
 */
export async function observedPull(
  event: PullRequestEvent,
  { id, names, defaultBranch, isPublic }: EventRepository,
  { tx, now, settingsIn, observer }: HandlerContext,
): Promise<ObservedPull | null> {
  const facts = pullRequestFacts(event.pull_request, { id, payload: event.repository })
  if (facts === null || !names) return null
  const observed = await findObservedRepository(tx, id)
  const byApp = observer !== undefined && Boolean(event.installation)
  if (!byApp && observed === null) return null
  const { settings } = await settingsIn(tx, id)
  if (!isObservedPullRequest(facts, settings)) return null
  const isNew = byApp && !observed?.by_app
  if (isNew) await observeByApp(tx, [{ id, ...names, defaultBranch, isPublic }], now)
  return {
    facts,
    wake(counts) {
      if (counts && counts.unread > 0) observer?.readFiles()
      if (isNew) observer?.listRepositories({ discover: false })
      observer?.writeReports()
    },
  }
}

export interface ObservedEvent {
  /** Empty where nothing is observed. */
  counts: Record<string, number>
  afterwards(): void
}

/**
 * Saves what an event says about its pull request, and marks its files as unread where the head is new
 * (docs/rules.md#reading-with-the-app). GitHub is not asked here. Does nothing where it is not observed.
 */
export async function observePullRequest(
  event: PullRequestEvent,
  repository: EventRepository,
  context: HandlerContext,
): Promise<ObservedEvent> {
  const observed = await observedPull(event, repository, context)
  const { tx, now, serverUrl } = context
  const { id, names, defaultBranch } = repository
  if (observed === null || !names) return { counts: {}, afterwards() {} }
  const { facts, wake } = observed
  const counts = await savePullRequest(tx, { id, ...names, defaultBranch, serverUrl }, facts, now, {
    reopened: event.action === 'reopened',
    pushedAt: event.action === 'synchronize' ? facts.updatedAt : null,
  })
  return { counts: { ...counts }, afterwards: () => wake(counts) }
}
