import type { Repository } from '../../context.ts'
import { type Lease, withLease } from '../../db/lease.ts'
import { findObservedRepository } from '../../observed/repositories-store.ts'
import { revokeGrant, saveSuitesSet } from '../../report/grants.sql.ts'
import { deleteMark, findNextMark, postponeMark, postponeMarks, type ReportMark } from '../../report/marks.sql.ts'
import { mayWrite, withWrite } from '../../report/write-pace.ts'
import { loadWriteTimes, saveWriteTimes } from '../../report/write-times.sql.ts'
import { createAppRequest, ReadingEnded } from '../pulls/app-request.ts'
import { type PullsRequest, UnusableResponse } from '../pulls/pulls-request.ts'
import { retryAt } from '../pulls/reading-rules.ts'
import { endAutomaticSuites } from './check-run.ts'
import { handleMark } from './handle-mark.ts'
import {
  ChecksNotGranted,
  nothingReported,
  type OwnerRequests,
  type ReportCounts,
  type ReportDeps,
} from './report-deps.ts'

/** How long the lease lasts, in ms: several times as long as the slowest request. */
const leaseMs = 30_000
/** GitHub asks for a second between two requests that write. */
const betweenWritesMs = 1_000
/** After so many failures the report waits for the next event of its head. */
const mostAttempts = 8

/** What is to be done for one owner. */
export interface DueOwner {
  marked: readonly Repository[]
  /** Repositories where GitHub makes check suites of the App by itself. */
  unset: readonly Repository[]
  /** Those of them where GitHub is to be asked again later. */
  postponed: bigint[]
}

/**
 * Looks at all marked reports of an owner's repositories, on one instance at a time: the limits count for an owner.
 * Undefined if another instance does.
 */
export async function reportOwner(
  deps: ReportDeps,
  owner: string,
  { marked, unset, postponed }: DueOwner,
): Promise<ReportCounts | undefined> {
  const key = owner.toLowerCase()
  return withLease(deps.db, { name: `write reports ${key}`, holdMs: leaseMs }, async (lease) => {
    const counts = { ...nothingReported }
    const requests = await requestsFor(deps, { owner, key, lease })
    for (const repository of unset) if (!(await requests.prepare(repository))) postponed.push(repository.id)
    for (const repository of marked) {
      if (!(await workOff(deps, repository, { lease, requests, counts }))) break
    }
    return counts
  })
}

/** Requests as the App. Those that write have a token of their own: nothing else depends on its permission. */
async function requestsFor(
  deps: ReportDeps,
  { owner, key, lease }: { owner: string; key: string; lease: Lease },
): Promise<OwnerRequests> {
  const { db, app, now, pause, shadow } = deps
  const counted = shadow ? `shadow ${key}` : key
  let times = await loadWriteTimes(db, counted)
  const forChecks: typeof app.requestForRepository = async (repository, request) => {
    const response = await app.requestForChecks(repository, request)
    if (response.kind === 'not_granted') throw new ChecksNotGranted()
    return response
  }
  const forWriting = { ...deps, app: { requestForRepository: forChecks }, budget: deps.writeBudget, lease }
  const send = createAppRequest(forWriting, owner, { isUrgent: true })
  const noteWrite = async () => {
    if (!shadow && times.length > 0) await pause(betweenWritesMs)
    const at = now()
    times = withWrite(times, at.getTime())
    await saveWriteTimes(db, counted, times, at)
  }
  const write: PullsRequest = async (request) => {
    if (!request.route.startsWith('GET ')) await noteWrite()
    const response = await send(request)
    if (response.kind === 'response' && response.status === 403) throw new ChecksNotGranted()
    return response
  }
  return {
    read: createAppRequest({ ...deps, lease }, owner, { isUrgent: true }),
    write,
    async prepare(repository) {
      const state = await findObservedRepository(db.prisma, repository.id)
      if (state?.suites_set_at !== null) return true
      return endSuites(deps, repository, send)
    },
    mayWrite: () => mayWrite(times, now().getTime()),
    noteWrite,
  }
}

interface Work {
  lease: Lease
  requests: OwnerRequests
  counts: ReportCounts
}

/** Returns whether to go on with the owner's other repositories. */
async function workOff(deps: ReportDeps, repository: Repository, { lease, requests, counts }: Work): Promise<boolean> {
  const { db, now, signal } = deps
  while (!signal?.aborted && (await lease.renew())) {
    const mark = await findNextMark(db, repository.id, now())
    if (mark === undefined) return true
    try {
      counts[await handleMark(deps, repository, { mark, requests })]++
    } catch (error) {
      const goesOn = await afterError(deps, repository, { mark, error, counts })
      if (goesOn !== 'this') return goesOn === 'others'
    }
  }
  return false
}

/** What to go on with: marks of this repository, those of the owner's others, or none of the owner. */
async function afterError(
  deps: ReportDeps,
  repository: Repository,
  { mark, error, counts }: { mark: ReportMark; error: unknown; counts: ReportCounts },
): Promise<'this' | 'others' | 'none'> {
  const { db, now } = deps
  if (error instanceof ChecksNotGranted) {
    await refused(deps, repository)
    return 'others'
  }
  if (error instanceof ReadingEnded) {
    counts.paused += error.reason === 'paused' ? 1 : 0
    if (error.until) await postponeMarks(db, repository.id, error.until)
    if (error.reason === 'not_installed') await refused(deps, repository)
    return error.reason === 'not_installed' ? 'others' : 'none'
  }
  const retry = () => postponeMark(db, repository.id, mark, retryAt(mark.attempts, now()))
  if (!(error instanceof UnusableResponse)) {
    await retry()
    throw error
  }
  counts.failed++
  const fields = { repository_id: String(repository.id), number: mark.number, reason: error.message }
  deps.log.warn(fields, 'a check run can not be written now')
  if (mark.attempts + 1 < mostAttempts) await retry()
  else await deleteMark(db, repository.id, mark)
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
  send: PullsRequest,
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
