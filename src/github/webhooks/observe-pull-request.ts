import { z } from 'zod'
import { isObservedPullRequest } from '../../observed/is-observed.ts'
import { observeByApp } from '../../observed/observe-by-app.sql.ts'
import { findObservedRepository } from '../../observed/repositories-store.ts'
import { savePullRequest } from '../../observed/save-pull-request.ts'
import { parsePullRequest } from '../pulls/pull-request-payload.ts'
import type { EventRepository, HandlerContext } from './webhook-handler.ts'

const Envelope = z.object({
  action: z.string(),
  pull_request: z.unknown(),
  installation: z.object({ id: z.int().positive() }).nullish().catch(null),
})

export interface ObservedEvent {
  /** Empty where nothing is observed. */
  counts: Record<string, number>
  /** Wakes the jobs that read what the event marked. */
  afterwards(): void
}

const notObserved: ObservedEvent = { counts: {}, afterwards() {} }

/**
 * Saves what an event says about its pull request, and marks its files as unread where the head is new
 * (docs/rules.md#reading-with-the-app). GitHub is not asked here. Does nothing where pull requests are not observed, or where
 * neither the App nor callers read the repository.
 */
export async function observePullRequest(
  payload: unknown,
  repository: EventRepository,
  { tx, now, serverUrl, settingsIn, observer }: HandlerContext,
): Promise<ObservedEvent> {
  const event = readEvent(payload, repository)
  const { id, names, defaultBranch, isPublic } = repository
  if (event === null || !names) return notObserved
  const { facts, action, hasInstallation } = event
  const observed = await findObservedRepository(tx, id)
  const byApp = observer !== undefined && hasInstallation
  if (!byApp && observed === null) return notObserved
  if (!isObservedPullRequest(facts, await settingsIn(tx, id))) return notObserved
  const isNew = byApp && !observed?.by_app
  if (isNew) await observeByApp(tx, [{ id, ...names, defaultBranch, isPublic }], now)
  const counts = await savePullRequest(tx, { id, ...names, defaultBranch, serverUrl }, facts, now, {
    reopened: action === 'reopened',
    pushedAt: action === 'synchronize' ? facts.updatedAt : null,
  })
  return {
    counts: { ...counts },
    afterwards() {
      if (counts.unread > 0) observer?.readFiles()
      if (isNew) observer?.listRepositories({ discover: false })
      observer?.writeReports()
    },
  }
}

/** Null for a payload that lacks a field of an observed pull request, such as a hand-made one. */
function readEvent(payload: unknown, { id }: EventRepository) {
  const envelope = Envelope.safeParse(payload)
  if (!envelope.success) return null
  const { action, pull_request, installation } = envelope.data
  try {
    const { facts, repositoryId } = parsePullRequest(pull_request)
    return repositoryId === id ? { facts, action, hasInstallation: Boolean(installation) } : null
  } catch (error) {
    if (error instanceof z.ZodError) return null
    throw error
  }
}
