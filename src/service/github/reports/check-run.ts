import { z } from 'zod'
import type { Report } from '../../report/report-text.ts'
import type { GithubResponse } from '../github-response.ts'
import {
  type RepositoryToRead,
  readBody,
  routeParameters,
  type SendRequest,
  UnusableResponse,
} from '../pulls/read-response.ts'

const name = 'Headsup'
/** GitHub's limit is 65,535 characters. */
const longestSummary = 60_000

export interface CheckRunToWrite {
  headSha: string
  report: Report
  /** The check run to change; null where there is none, or where that is not known. */
  checkRunId: bigint | null
  /** Whether GitHub may have one that is not known here. */
  mayExist: boolean
  detailsUrl: string | null
  now: Date
}

const Created = z.object({ id: z.int().positive().transform(BigInt) })
const Listed = z.object({ check_runs: z.array(Created.extend({ external_id: z.string().nullable().catch(null) })) })

/**
 * Writes the check run of a head, completed in one request: one that is queued would make merges wait. Returns its id. Throws
 * `UnusableResponse`.
 */
export async function writeCheckRun(request: SendRequest, at: RepositoryToRead, run: CheckRunToWrite): Promise<bigint> {
  const known = run.checkRunId ?? (run.mayExist ? await findCheckRun(request, at, run) : null)
  if (known !== null) {
    const changed = await changeCheckRun(request, at, known, run)
    if (changed !== null) return changed
  }
  const created = await createCheckRun(request, at, run)
  if (!isWithoutSuite(created)) return readId(created)
  await createSuite(request, at, run.headSha)
  return readId(await createCheckRun(request, at, run))
}

/** Null if GitHub does not have it any more. */
async function changeCheckRun(request: SendRequest, at: RepositoryToRead, id: bigint, run: CheckRunToWrite) {
  const route = 'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}'
  const response = await request({
    route,
    parameters: { ...routeParameters(at), check_run_id: Number(id), ...contentOf(run) },
  })
  if (response.kind === 'response' && response.status === 404) return null
  return readId(response)
}

function createCheckRun(request: SendRequest, at: RepositoryToRead, run: CheckRunToWrite): Promise<GithubResponse> {
  const head = { name, head_sha: run.headSha, external_id: externalIdOf(at, run) }
  return request({
    route: 'POST /repos/{owner}/{repo}/check-runs',
    parameters: { ...routeParameters(at), ...head, ...contentOf(run) },
  })
}

/** GitHub may refuse a check run where no check suite of the App exists for the head, as for a fork's. */
function isWithoutSuite(response: GithubResponse): boolean {
  return response.kind === 'response' && (response.status === 404 || response.status === 422)
}

async function createSuite(request: SendRequest, at: RepositoryToRead, head_sha: string): Promise<void> {
  const route = 'POST /repos/{owner}/{repo}/check-suites'
  const response = await request({ route, parameters: { ...routeParameters(at), head_sha } })
  const isMade = response.kind === 'response' && (response.status === 200 || response.status === 201)
  if (!isMade) throw new UnusableResponse(response)
}

async function findCheckRun(request: SendRequest, at: RepositoryToRead, run: CheckRunToWrite) {
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs'
  const parameters = { ...routeParameters(at), ref: run.headSha, check_name: name, per_page: 100 }
  const { check_runs } = readBody(await request({ route, parameters }), (body) => Listed.parse(body))
  return check_runs.find(({ external_id }) => external_id === externalIdOf(at, run))?.id ?? null
}

function externalIdOf({ id }: RepositoryToRead, { headSha }: CheckRunToWrite): string {
  return `${id}:${headSha}`
}

function contentOf({ report: { conclusion, title, summary }, detailsUrl, now }: CheckRunToWrite) {
  return {
    status: 'completed',
    conclusion,
    completed_at: now.toISOString(),
    ...(detailsUrl === null ? {} : { details_url: detailsUrl }),
    output: { title, summary: summary.slice(0, longestSummary) },
  }
}

function readId(response: GithubResponse): bigint {
  const isDone = response.kind === 'response' && (response.status === 200 || response.status === 201)
  return readBody(isDone ? { ...response, status: 200 } : response, (body) => Created.parse(body)).id
}

/** Statuses of which asking again changes nothing. */
const refusals: readonly number[] = [403, 404, 422]

/**
 * Asks GitHub to make no check suites of the App by itself: an empty one stays queued on every push, and merges may wait for
 * it for ever. Returns whether GitHub does. A refusal is an answer, too.
 */
export async function endAutomaticSuites(
  request: SendRequest,
  at: RepositoryToRead,
  appId: number,
): Promise<'set' | 'refused'> {
  const route = 'PATCH /repos/{owner}/{repo}/check-suites/preferences'
  const auto_trigger_checks = [{ app_id: appId, setting: false }]
  const response = await request({ route, parameters: { ...routeParameters(at), auto_trigger_checks } })
  if (response.kind === 'response' && refusals.includes(response.status)) return 'refused'
  if (response.kind === 'failure' || response.status !== 200) throw new UnusableResponse(response)
  return 'set'
}
