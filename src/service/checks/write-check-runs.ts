import { createHash } from 'node:crypto'
import { RequestError } from '@octokit/request-error'
import type { Probot, ProbotOctokit } from 'probot'
import type { CheckRun, Repository as Row } from '../db/generated/client.ts'
import { inTransaction } from '../db/retry.ts'
import { isRefusal } from '../github/app/refusal.ts'
import type { Job } from '../jobs.ts'
import { safely } from '../log.ts'
import { live } from '../records/lifecycle.ts'
import { type Settings, settingsInForce } from '../records/settings.ts'
import { type Report, reportOf } from './check-run-text.ts'
import { isWrittenByAnother, lookAgain, repositoriesWithDue, saveWritten, takeDue } from './check-runs.ts'
import { type Checking, checkOfPull } from './report-of.ts'

const atOnce = 20
const name = 'Headsup'

export interface WritingParts extends Checking {
  probot: Probot
  appId: number
  defaults: Settings
  publicUrl: string | null
}

/** Writes the check runs that are due. Octokit spaces the writes of an installation by a second. */
export function checkRunJob(parts: WritingParts): Job {
  const { prisma, now } = parts
  return {
    name: 'write check runs',
    everyMs: 2_000,
    async run() {
      for (const repository_id of await repositoriesWithDue(prisma, now())) await writeDue(parts, repository_id)
    },
  }
}

async function writeDue(parts: WritingParts, repository_id: bigint): Promise<void> {
  const { prisma, probot, now, log } = parts
  const row = await prisma.repository.findUniqueOrThrow({ where: { repository_id } })
  const octokit = await probot.auth(Number(row.installation_id))
  for (const run of await takeDue(prisma, repository_id, { now: now(), most: atOnce })) {
    try {
      await writeOne(parts, row, octokit, run)
    } catch (error) {
      log.warn(
        { repository: String(repository_id), number: run.number, ...safely(error) },
        'a check run was not written',
      )
      // The permission was not granted. An event says when it is.
      if (!isRefusal(error)) continue
      await prisma.repository.update({ where: { repository_id }, data: { may_write_checks: false, updated_at: now() } })
      return
    }
  }
}

async function writeOne(parts: WritingParts, row: Row, octokit: ProbotOctokit, run: CheckRun): Promise<void> {
  const { prisma, defaults, publicUrl } = parts
  const { repository_id, number, head_sha, check_run_id, written } = run
  const settings = settingsInForce(row.settings, defaults)
  const nothing = { check_run_id, written, named: run.named, nextAt: null }
  const pull = await prisma.pullRequest.findUnique({ where: { repository_id_number: { repository_id, number } } })
  const isWanted = pull?.is_open && pull.head_sha === head_sha && isReported(settings, pull.is_draft)
  // Its files are not read yet: it is due again once they are.
  if (!isWanted || pull.read_head !== head_sha) return saveWritten(prisma, run, nothing)
  if (await isWrittenByAnother(prisma, run)) return saveWritten(prisma, run, nothing)
  const checked = await checkOfPull(parts, { row, settings, number })
  if (!checked) return saveWritten(prisma, run, nothing)
  const { overlap, activityId } = checked
  const report = reportOf(overlap, publicUrl === null ? null : `${publicUrl}/${row.owner}/${row.name}`)
  const digest = createHash('sha256')
    .update(JSON.stringify([report.title, report.rows]))
    .digest('base64url')
  const isNews = digest !== written
  if (isNews) await endAutomaticSuites(parts, row, octokit)
  const id = isNews ? await write(octokit, row, run, report) : check_run_id
  const met = [...overlap.collisions, ...overlap.nearby]
  const named = [...met, ...overlap.notables].map((one) => ('activity_id' in one ? one.activity_id : one.id))
  const nextAt = await nextChange(parts, repository_id, [...named, activityId], overlap.notables)
  await inTransaction(prisma, async (tx) => {
    await saveWritten(tx, run, { check_run_id: id, written: digest, named, nextAt })
    const others = { numbers: met.flatMap((one) => one.number ?? []), ids: [activityId] }
    if (isNews) await lookAgain(tx, repository_id, others, parts.now(), number)
  })
}

function isReported({ values: { enabled, pull_request_report: report } }: Settings, isDraft: boolean): boolean {
  return enabled && (report === 'check' || (report === 'ready' && !isDraft))
}

/** When the first of what it names expires. */
async function nextChange(
  { prisma, now }: WritingParts,
  repository_id: bigint,
  ids: string[],
  notables: readonly { until: string }[],
): Promise<Date | null> {
  const where = { repository_id, id: { in: ids }, ...live(now()) }
  const { _min } = await prisma.activity.aggregate({ where, _min: { expires_at: true } })
  const ends = [_min.expires_at, ...notables.map(({ until }) => new Date(until))]
  const times = ends.flatMap((end) => end?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/** Completed at once: one that is queued would make merges wait. Returns its id. */
async function write(octokit: ProbotOctokit, row: Row, run: CheckRun, report: Report): Promise<bigint> {
  const { conclusion, title, summary } = report
  const at = { owner: row.owner, repo: row.name }
  const content = { ...at, status: 'completed', conclusion, output: { title, summary } } as const
  const { checks } = octokit.rest
  if (run.check_run_id !== null) {
    const changed = await checks.update({ ...content, check_run_id: Number(run.check_run_id) }).catch(nullIfGone)
    if (changed) return run.check_run_id
  }
  // An answer that is lost may have made it: a second try would make another one.
  const { data } = await checks.create({ ...content, name, head_sha: run.head_sha, request: { retries: 0 } })
  return BigInt(data.id)
}

function nullIfGone(error: unknown): null {
  if (error instanceof RequestError && error.status === 404) return null
  throw error
}

/** GitHub makes an empty suite of the App with each push, which stays queued for ever, and merges may wait for it. */
async function endAutomaticSuites({ prisma, now, appId, log }: WritingParts, row: Row, octokit: ProbotOctokit) {
  if (row.suites_off_at !== null) return
  const auto_trigger_checks = [{ app_id: appId, setting: false }]
  try {
    await octokit.rest.checks.setSuitesPreferences({ owner: row.owner, repo: row.name, auto_trigger_checks })
  } catch (error) {
    // A refusal is an answer, too: the check run itself may be let through.
    if (!(error instanceof RequestError && error.status < 500)) throw error
    log.info({ repository: String(row.repository_id) }, 'automatic check suites stay on')
  }
  row.suites_off_at = now()
  await prisma.repository.update({
    where: { repository_id: row.repository_id },
    data: { suites_off_at: row.suites_off_at },
  })
}
