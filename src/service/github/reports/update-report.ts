import { observesPullRequests } from '../../observed/is-observed.ts'
import { findObservedRepository, type ObservedRepositoryRow } from '../../observed/observed-repositories-store.ts'
import type { Repository } from '../../records/repository/repository.ts'
import type { Settings } from '../../records/settings/schema.ts'
import { beginReports, saveGrant } from '../../report/grants.sql.ts'
import { deleteMark, markAffected, postponeMark, type ReportMark } from '../../report/report-queue.sql.ts'
import { findPullRequest, findPullsOfHead, namedBefore } from '../../report/reports-store.ts'
import { affectedBy } from '../../report/rewrite-rules.ts'
import type { Outcome, OwnerRequests, ReportDeps } from './report-deps.ts'
import { type Head, type HeadResult, writeHead } from './write-head.ts'

/**
 * Looks at the report of a marked pull request, and marks the others that are affected: those that it names now or named
 * before. What was marked again meanwhile stays marked. Throws what the requests throw; the mark stays then.
 */
export async function handleMark(
  deps: ReportDeps,
  repository: Repository,
  { mark, requests }: { mark: ReportMark; requests: OwnerRequests },
): Promise<Outcome> {
  const { db, now } = deps
  const state = await findObservedRepository(db.prisma, repository.id)
  const { settings } = await deps.settingsOf(repository)
  const pull = await findPullRequest(db, repository.id, mark.number)
  if (!pull || !state || !(await isReported(deps, repository, { state, settings }))) {
    await deleteMark(db, repository.id, mark)
    return 'skipped'
  }
  const before = mark.spreads ? await namedBefore(db, repository.id, mark.number) : []
  const [first, ...rest] = pull.state === 'open' ? await findPullsOfHead(db, repository.id, pull.head_sha) : []
  const result: HeadResult =
    first === undefined
      ? { outcome: 'skipped', named: [] }
      : await look(deps, { repository, pulls: [first, ...rest], mark, requests, settings, state })
  const own = [mark.number, ...(first ? [first, ...rest].map(({ number }) => number) : [])]
  if (mark.spreads && result.outcome !== 'waiting') {
    await markAffected(db, repository.id, affectedBy(own, result.named, before), now())
  }
  await finish(deps, repository, mark, result)
  return result.outcome
}

interface Look {
  repository: Repository
  pulls: Head
  mark: ReportMark
  requests: OwnerRequests
  settings: Settings
  state: ObservedRepositoryRow
}

async function look(deps: ReportDeps, { pulls, settings, state, ...given }: Look): Promise<HeadResult> {
  const { db, now, retentionMs, readGlob } = deps
  const { repository } = given
  const isDraft = pulls.every(({ draft }) => draft)
  if (isDraft && settings.pull_request_report === 'ready' && !given.mark.forced)
    return { outcome: 'skipped', named: [] }
  // In shadow nobody grants anything, so reports begin with the first look.
  if (state.reports_since === null) await beginReports(db, repository.id, new Date(now().getTime() - beginningMs))
  const since = state.reports_since ?? new Date(now().getTime() - beginningMs)
  const context = { db, now: now(), repository, retentionMs, settings, readGlob }
  return writeHead(deps, { ...given, pulls, since, context })
}

/** When a re-run is looked at again whose files are not read yet, in ms. Their reading makes it due at once. */
const lookAgainMs = 60_000
/** The push that is looked at first came a moment before. */
const beginningMs = 600_000

async function isReported(
  deps: ReportDeps,
  repository: Repository,
  { state, settings }: Pick<Look, 'state' | 'settings'>,
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
  mark: ReportMark,
  { outcome, lookAgainAt = null }: HeadResult,
): Promise<void> {
  if (outcome === 'waiting' && (lookAgainAt !== null || mark.forced)) {
    // A re-run keeps its mark, since its suite is queued until there is a result.
    return postponeMark(db, repository.id, mark, lookAgainAt ?? new Date(now().getTime() + lookAgainMs))
  }
  await deleteMark(db, repository.id, mark)
  if (lookAgainAt !== null) await markAffected(db, repository.id, [mark.number], lookAgainAt)
}
