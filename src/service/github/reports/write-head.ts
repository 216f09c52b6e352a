import { z } from 'zod'
import type { Repository } from '../../records/repository/repository.ts'
import type { ReportContext } from '../../report/compare-head.ts'
import { dirtyFacts, factsOfHead, type HeadFacts } from '../../report/head-facts.ts'
import { type QueuedReport, recordCreateRequest } from '../../report/report-queue.sql.ts'
import { freshHeadlineOf, headlineOf, type Report, reportOf } from '../../report/report-text.ts'
import { findReport, hadReport, saveNamed, saveReport, type WrittenReport } from '../../report/reports-store.ts'
import { isToBeWritten, type WrittenHeadline } from '../../report/rewrite-rules.ts'
import { readBody, routeParameters } from '../pulls/read-response.ts'
import { writeCheckRun } from './check-run.ts'
import type { Outcome, OwnerRequests, ReportDeps } from './report-deps.ts'

type Pull = Parameters<typeof factsOfHead>[1][0]

/** The open pull requests of one head. */
export type Head = readonly [Pull, ...Pull[]]

export interface HeadToWrite {
  repository: Repository
  pulls: Head
  queued: QueuedReport
  /** When reports began in the repository. */
  since: Date | null
  context: ReportContext
  requests: OwnerRequests
}

export interface HeadResult {
  outcome: Outcome
  /** The pull requests that the report names now. */
  named: readonly number[]
  /** When to update it again without an event. */
  lookAgainAt?: Date | null
}

/** GitHub computes whether a pull request conflicts after a push. It is asked once more after this time, in ms. */
const computingMs = 15_000

/** Computes the report of a head, and writes it if it changed. Throws what the requests throw. */
export async function writeHead(deps: ReportDeps, head: HeadToWrite): Promise<HeadResult> {
  const { db, shadow } = deps
  const { repository, pulls, queued, context, requests } = head
  const written = await findReport(db, repository.id, pulls[0].head_sha, shadow)
  const pageUrl = pageOf(deps, repository)
  let found = await factsOfHead(context, pulls, { written, pageUrl, isRerun: queued.isRerun })
  if (found === 'waiting') return { outcome: 'waiting', named: [] }
  if (found === null) return { outcome: 'skipped', named: [] }
  const { named } = found
  if (!(await hasBegun(deps, head, written))) return { outcome: 'skipped', named }
  const wanted = (facts: HeadFacts) => queued.isRerun || isToBeWritten(written && headlineIn(written), headlines(facts))
  const unchanged = async (facts: HeadFacts): Promise<HeadResult> => {
    if (written) await saveNamed(db, written, namesOf(facts))
    return { outcome: 'unchanged', named, lookAgainAt: facts.changesAt }
  }
  if (!wanted(found)) return unchanged(found)
  if (!requests.mayWrite()) {
    // After somebody has asked for it again, GitHub waits for it. No event of the head follows the change of a notable.
    const inAMinute = new Date(deps.now().getTime() + 60_000)
    const waits = queued.isRerun || queued.byNotable
    return waits ? { outcome: 'waiting', named, lookAgainAt: inAMinute } : { outcome: 'dropped', named }
  }
  if (found.facts.notCompared === null && found.facts.merged.length === 0) {
    const state = await mergeableState(head)
    const again = new Date(deps.now().getTime() + computingMs)
    if (state === 'unknown' && queued.attempts === 0) return { outcome: 'waiting', named, lookAgainAt: again }
    if (state === 'dirty') found = dirtyFacts(found)
    if (!wanted(found)) return unchanged(found)
  }
  const checkRunId = await write(deps, head, reportOf(found.facts), written)
  await saveReport(db, reportRow(deps, head, found, checkRunId))
  return { outcome: outcomeOf(deps, written), named, lookAgainAt: found.changesAt }
}

/** Reports begin with the next push of each pull request after the grant. */
async function hasBegun(
  { db, shadow }: ReportDeps,
  { repository, pulls, queued, since }: HeadToWrite,
  written: unknown,
) {
  if (written !== null || queued.isRerun) return true
  if (since !== null && pulls.some(({ pushed_at, opened_at }) => pushed_at >= since || opened_at >= since)) return true
  return hadReport(
    db,
    repository.id,
    pulls.map(({ number }) => number),
    shadow,
  )
}

const MergeableState = z.object({ mergeable_state: z.string().catch('unknown') })

/** Whether GitHub says that it conflicts with its base. `unknown` while GitHub computes that. */
async function mergeableState({ repository, pulls, requests }: HeadToWrite): Promise<string> {
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
  const parameters = { ...routeParameters(repository), pull_number: pulls[0].number }
  return readBody(await requests.read({ route, parameters }), (body) => MergeableState.parse(body)).mergeable_state
}

/** Returns the id of the check run; null in shadow. */
async function write(
  deps: ReportDeps,
  { repository, pulls, queued, requests }: HeadToWrite,
  report: Report,
  written: WrittenReport | null,
): Promise<bigint | null> {
  const { now, log, shadow } = deps
  const [{ head_sha: headSha, number }] = pulls
  if (shadow) {
    const { conclusion, title } = report
    const fields = { repository_id: String(repository.id), number, conclusion, title, rewrite: written !== null }
    log.info(fields, 'a check run would be written')
    await requests.noteWrite()
    return null
  }
  await requests.prepare(repository)
  await recordCreateRequest(deps.db, repository.id, queued.number)
  return writeCheckRun(requests.write, repository, {
    ...{ headSha, report, detailsUrl: pageOf(deps, repository), now: now() },
    // After somebody has asked for it again, GitHub waits for a new one.
    checkRunId: queued.isRerun ? null : (written?.check_run_id ?? null),
    mayExist: !queued.isRerun && (queued.mayExist || mayBeForgotten(deps, pulls)),
  })
}

/** A pull request is forgotten some time after its end, with its check run. Then it may be opened again at the same head. */
function mayBeForgotten({ now, retentionMs }: ReportDeps, pulls: Head): boolean {
  return pulls.some(({ opened_at }) => opened_at.getTime() <= now().getTime() - retentionMs)
}

function outcomeOf({ shadow }: ReportDeps, written: WrittenReport | null): Outcome {
  if (shadow) return written ? 'would_rewrite' : 'would_create'
  return written ? 'rewritten' : 'created'
}

function reportRow(
  { now, shadow }: ReportDeps,
  { repository, pulls }: HeadToWrite,
  found: HeadFacts,
  check_run_id: bigint | null,
): WrittenReport {
  const [{ head_sha, number }] = pulls
  const { conclusion, title, fresh } = headlines(found)
  return {
    ...{ repository_id: repository.id, head_sha, number, shadow, check_run_id, conclusion, title },
    ...{ fresh_conclusion: fresh.conclusion, fresh_title: fresh.title, written_at: now() },
    ...namesOf(found),
  }
}

function namesOf({ named, sameLines }: HeadFacts) {
  return { named: [...named], same_lines: [...sameLines] }
}

function headlines({ facts }: HeadFacts): WrittenHeadline {
  return { ...headlineOf(facts), fresh: freshHeadlineOf(facts) }
}

function headlineIn({ conclusion, title, fresh_conclusion, fresh_title }: WrittenReport): WrittenHeadline {
  const word = (text: string) => (text === 'success' ? text : 'neutral')
  return { conclusion: word(conclusion), title, fresh: { conclusion: word(fresh_conclusion), title: fresh_title } }
}

function pageOf({ publicUrl }: ReportDeps, { owner, name }: Repository): string | null {
  return publicUrl === undefined ? null : `${publicUrl}/${owner}/${name}`
}
