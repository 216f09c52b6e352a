import { observesPullRequests } from '../../observed/is-observed.ts'
import { findObservedRepository, type ObservedRepositoryRow } from '../../observed/observed-repositories-store.ts'
import type { Repository } from '../../records/repository/repository.ts'
import type { Settings } from '../../records/settings/schema.ts'
import { beginReports, saveGrant } from '../../report/grants.sql.ts'
import { postponeReport, type QueuedReport, queueReports, removeReport } from '../../report/report-queue.sql.ts'
import { findPullRequest, findPullsOfHead, namedBefore } from '../../report/reports-store.ts'
import { affectedBy } from '../../report/rewrite-rules.ts'
import type { Outcome, OwnerRequests, ReportDeps } from './report-deps.ts'
import { type Head, type HeadResult, writeHead } from './write-head.ts'

/**
 * Updates the report of a queued pull request, and queues those that it affects: the pull requests that it names now or named
 * before. What was queued again meanwhile stays queued. If a request throws, so does this, and the report stays queued.
 */
export async function updateReport(
  deps: ReportDeps,
  repository: Repository,
  { queued, requests }: { queued: QueuedReport; requests: OwnerRequests },
): Promise<Outcome> {
  const { db, now } = deps
  const state = await findObservedRepository(db.prisma, repository.id)
  const { settings } = await deps.settingsOf(repository)
  const pull = await findPullRequest(db, repository.id, queued.number)
  if (!pull || !state || !(await isReported(deps, repository, { state, settings }))) {
    await removeReport(db, repository.id, queued)
    return 'skipped'
  }
  const before = queued.affectsOthers ? await namedBefore(db, repository.id, queued.number) : []
  const [first, ...rest] = pull.state === 'open' ? await findPullsOfHead(db, repository.id, pull.head_sha) : []
  const result: HeadResult =
    first === undefined
      ? { outcome: 'skipped', named: [] }
      : await updateHead(deps, { repository, pulls: [first, ...rest], queued, requests, settings, state })
  const own = [queued.number, ...(first ? [first, ...rest].map(({ number }) => number) : [])]
  if (queued.affectsOthers && result.outcome !== 'waiting') {
    await queueReports(db, repository.id, affectedBy(own, result.named, before), now())
  }
  await finish(deps, repository, queued, result)
  return result.outcome
}

interface HeadUpdate {
  repository: Repository
  pulls: Head
  queued: QueuedReport
  requests: OwnerRequests
  settings: Settings
  state: ObservedRepositoryRow
}

async function updateHead(deps: ReportDeps, { pulls, settings, state, ...given }: HeadUpdate): Promise<HeadResult> {
  const { db, now, retentionMs, readGlob } = deps
  const { repository } = given
  const isDraft = pulls.every(({ draft }) => draft)
  if (isDraft && settings.pull_request_report === 'ready' && !given.queued.isRerun)
    return { outcome: 'skipped', named: [] }
  // In shadow nobody grants anything, so reports begin with the first update.
  if (state.reports_since === null) await beginReports(db, repository.id, new Date(now().getTime() - beginningMs))
  const since = state.reports_since ?? new Date(now().getTime() - beginningMs)
  const context = { db, now: now(), repository, retentionMs, settings, readGlob }
  return writeHead(deps, { ...given, pulls, since, context })
}

/** When a re-run is tried again whose files are not read yet, in ms. Once they are read, it is due at once. */
const lookAgainMs = 60_000
/** Reports begin this long before the first update, in ms: the push that led to it came a moment before. */
const beginningMs = 600_000

async function isReported(
  deps: ReportDeps,
  repository: Repository,
  { state, settings }: Pick<HeadUpdate, 'state' | 'settings'>,
): Promise<boolean> {
  if (!state.by_app || settings.pull_request_report === 'off' || !observesPullRequests(settings)) return false
  if (deps.shadow || state.may_write_checks) return true
  // After a refusal only an event or the daily list of installations lets reports begin again.
  return state.reports_since === null && (await isGranted(deps, repository))
}

/** Whether the owner grants check runs, although no event said so. */
async function isGranted({ app, db, now }: ReportDeps, { id, owner, name: repo }: Repository): Promise<boolean> {
  const installation = await app.installationOf({ owner, repo })
  if (installation === null) return false
  const since = new Date(now().getTime() - beginningMs)
  await db.transaction((tx) => saveGrant(tx, [id], installation, since))
  return installation.mayWriteChecks
}

async function finish(
  { db, now }: ReportDeps,
  repository: Repository,
  queued: QueuedReport,
  { outcome, lookAgainAt = null }: HeadResult,
): Promise<void> {
  if (outcome === 'waiting' && (lookAgainAt !== null || queued.isRerun)) {
    // A re-run stays queued here, since its suite is queued at GitHub until there is a result.
    return postponeReport(db, repository.id, queued, lookAgainAt ?? new Date(now().getTime() + lookAgainMs))
  }
  await removeReport(db, repository.id, queued)
  if (lookAgainAt !== null) await queueReports(db, repository.id, [queued.number], lookAgainAt)
}
