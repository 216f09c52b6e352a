import { type Lease, withLease } from '../../db/lease.ts'
import { findObservedRepository } from '../../observed/observed-repositories-store.ts'
import type { Repository } from '../../records/repository/repository.ts'
import { revokeGrant, saveSuitesSet } from '../../report/grants.sql.ts'
import { findNextNotable } from '../../report/notable-queue.sql.ts'
import {
  findNextReport,
  postponeReport,
  postponeReports,
  type QueuedReport,
  removeReport,
} from '../../report/report-queue.sql.ts'
import { mayWrite, withWrite } from '../../report/write-pace.ts'
import { loadWriteTimes, saveWriteTimes } from '../../report/write-times-store.ts'
import { createAppSender, ReadingEnded } from '../pulls/app-sender.ts'
import { retryAt } from '../pulls/listing-rules.ts'
import { type SendRequest, UnusableResponse } from '../pulls/read-response.ts'
import { endAutomaticSuites } from './check-run.ts'
import { queueMetReports } from './queue-met-reports.ts'
import {
  ChecksNotGranted,
  nothingReported,
  type OwnerRequests,
  type ReportCounts,
  type ReportDeps,
} from './report-deps.ts'
import { updateReport } from './update-report.ts'

/** How long a turn lasts, in ms, until no other report of the owner is begun. */
const turnMs = 5_000
/** How long the lease lasts, in ms: several times as long as the slowest request. */
const leaseMs = 30_000
/** GitHub asks for a second between two requests that write. */
const betweenWritesMs = 1_000
/** After so many failures the report is removed from the queue until the next event of its head. */
const mostAttempts = 8

/** What is to be done for one owner. */
export interface DueOwner {
  /** Repositories with reports in the queue. */
  queued: readonly Repository[]
  /** Repositories where GitHub makes check suites of the App by itself. */
  withSuites: readonly Repository[]
  /** Those of them where GitHub is to be asked again later. */
  postponed: bigint[]
}

/**
 * Updates queued reports of an owner's repositories, one of each in turn, on one instance at a time: the limits count for
 * an owner. Undefined if another instance does.
 */
export async function reportOwner(
  deps: ReportDeps,
  owner: string,
  due: DueOwner,
): Promise<{ counts: ReportCounts; hasMore: boolean } | undefined> {
  const key = owner.toLowerCase()
  return withLease(deps.db, { name: `write reports ${key}`, holdMs: leaseMs }, async (lease) => {
    const counts = { ...nothingReported }
    const requestsFor = await createRequests(deps, { owner, key, lease })
    return { counts, hasMore: await processDue(deps, due, { lease, requestsFor, counts }) }
  })
}

/** Requests as the App. Those that write have a token of their own: nothing else depends on its permission. */
async function createRequests(
  deps: ReportDeps,
  { owner, key, lease }: { owner: string; key: string; lease: Lease },
): Promise<(byNotable: boolean) => OwnerRequests> {
  const { db, app, now, pause, shadow } = deps
  const counted = shadow ? `shadow ${key}` : key
  let times = await loadWriteTimes(db, counted)
  const forChecks: typeof app.requestForRepository = async (repository, request) => {
    const response = await app.requestForChecks(repository, request)
    if (response.kind === 'not_granted') throw new ChecksNotGranted()
    return response
  }
  const forWriting = { ...deps, app: { requestForRepository: forChecks }, rateLimits: deps.writeLimits, lease }
  const send = createAppSender(forWriting, owner, { isUrgent: true })
  const read = createAppSender({ ...deps, lease }, owner, { isUrgent: true })
  const prepare: OwnerRequests['prepare'] = async (repository) => {
    const state = await findObservedRepository(db.prisma, repository.id)
    if (state?.suites_set_at !== null) return true
    return endSuites(deps, repository, send)
  }
  return (byNotable) => {
    const noteWrite = async () => {
      if (!shadow && times.all.length > 0) await pause(betweenWritesMs)
      times = withWrite(times, now().getTime(), byNotable)
      await saveWriteTimes(db, counted, times)
    }
    const write: SendRequest = async (request) => {
      if (!request.route.startsWith('GET ')) await noteWrite()
      const response = await send(request)
      if (response.kind === 'response' && response.status === 403) throw new ChecksNotGranted()
      return response
    }
    return { read, write, prepare, mayWrite: () => mayWrite(times, now().getTime(), byNotable), noteWrite }
  }
}

interface Work {
  lease: Lease
  /** For check runs that only a notable queued, or for others. */
  requestsFor(byNotable: boolean): OwnerRequests
  counts: ReportCounts
}

/** Works until the turn is over. What only notables queued comes last. Returns whether more is left. */
async function processDue(deps: ReportDeps, due: DueOwner, work: Work): Promise<boolean> {
  const { now, signal } = deps
  const withSuites = [...due.withSuites]
  const end = now().getTime() + turnMs
  for (const withNotables of [false, true]) {
    const repositories = [...due.queued]
    while (repositories.length + withSuites.length > 0 && !signal?.aborted && (await work.lease.renew())) {
      if (now().getTime() >= end) return true
      const [repository, toPrepare] = [repositories.shift(), withSuites.shift()]
      if (toPrepare && !(await work.requestsFor(false).prepare(toPrepare))) due.postponed.push(toPrepare.id)
      const next = repository ? await processNext(deps, repository, { ...work, withNotables }) : 'others'
      if (next === 'none') return false
      if (repository && next === 'this') repositories.push(repository)
    }
  }
  return false
}

/** Where to go on: in this repository too, only in the owner's others, or in none of the owner. */
type Next = 'this' | 'others' | 'none'

/** Queues what a changed notable meets, or else updates the next report of a repository. */
async function processNext(
  deps: ReportDeps,
  repository: Repository,
  { requestsFor, counts, withNotables }: Work & { withNotables: boolean },
): Promise<Next> {
  const { db, now } = deps
  const notable = await findNextNotable(db, repository.id, now())
  if (notable !== undefined) {
    await queueMetReports(deps, repository, notable)
    return 'this'
  }
  const next = { now: now(), withNotables: withNotables && requestsFor(true).mayWrite() }
  const queued = await findNextReport(db, repository.id, next)
  if (queued === undefined) return 'others'
  try {
    counts[await updateReport(deps, repository, { queued, requests: requestsFor(queued.byNotable) })]++
    return 'this'
  } catch (error) {
    return await afterError(deps, repository, { queued, error, counts })
  }
}

async function afterError(
  deps: ReportDeps,
  repository: Repository,
  { queued, error, counts }: { queued: QueuedReport; error: unknown; counts: ReportCounts },
): Promise<Next> {
  const { db, now } = deps
  if (error instanceof ChecksNotGranted) {
    await refused(deps, repository)
    return 'others'
  }
  if (error instanceof ReadingEnded) {
    counts.paused += error.reason === 'paused' ? 1 : 0
    if (error.until) await postponeReports(db, repository.id, error.until)
    if (error.reason === 'not_installed') await refused(deps, repository)
    return error.reason === 'not_installed' ? 'others' : 'none'
  }
  const retry = () => postponeReport(db, repository.id, queued, retryAt(queued.attempts, now()))
  if (!(error instanceof UnusableResponse)) {
    await retry()
    throw error
  }
  counts.failed++
  const fields = { repository_id: String(repository.id), number: queued.number, reason: error.message }
  deps.log.warn(fields, 'a check run can not be written now')
  if (queued.attempts + 1 < mostAttempts) await retry()
  else await removeReport(db, repository.id, queued)
  return 'this'
}

/** Nothing is written here until the owner grants it again. */
async function refused({ db, log }: ReportDeps, { id }: Repository): Promise<void> {
  await revokeGrant(db, id)
  log.warn({ repository_id: String(id) }, 'GitHub takes no check runs of the App in this repository')
}

/** Returns false where GitHub is to be asked again later. */
async function endSuites(
  { db, log, appId, now, pause }: ReportDeps,
  repository: Repository,
  send: SendRequest,
): Promise<boolean> {
  const fields = { repository_id: String(repository.id) }
  try {
    const outcome = await endAutomaticSuites(send, repository, appId)
    if (outcome === 'refused') log.warn(fields, 'GitHub does not let the App end its automatic check suites here')
    await saveSuitesSet(db, repository.id, now())
    await pause(betweenWritesMs)
    return true
  } catch (error) {
    if (error instanceof ChecksNotGranted) {
      await revokeGrant(db, repository.id)
      return true
    }
    const isKnown = error instanceof UnusableResponse || error instanceof ReadingEnded
    if (!isKnown) throw error
    log.warn({ ...fields, reason: error.message }, 'the automatic check suites can not be ended now')
    return false
  }
}
