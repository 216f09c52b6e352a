import { createHash } from 'node:crypto'
import { RequestError } from '@octokit/request-error'
import type { Octokit } from '@octokit/rest'
import type { Pool } from 'pg'
import { untilOf } from '../../core/notable.ts'
import type { Parts } from '../context.ts'
import type { CheckRun, Repository as Row } from '../db/generated/client.ts'
import { inTransaction } from '../db/retry.ts'
import { refusalOf } from '../github/access-errors.ts'
import { lacksPermission } from '../github/app/refusal.ts'
import { observationOf } from '../github/observation.ts'
import { repositoryOf } from '../github/repositories.ts'
import type { Job } from '../jobs.ts'
import { safely } from '../log.ts'
import { type CheckContext, type Checked, checkRecord } from '../overlap/check.ts'
import { live } from '../records/lifecycle.ts'
import { type Settings, settingsInForce } from '../records/settings.ts'
import { everyMet } from './changed.ts'
import { type Report, reportOf } from './check-run-text.ts'
import { isWrittenByAnother, lookAgain, postpone, repositoriesWithDue, saveWritten, takeDue } from './check-runs.ts'

/** What one run of the job takes. All else waits in the table. */
const most = { repositories: 20, checkRuns: 20 }
const name = 'Headsup'

type Writer = Pick<Octokit, 'rest'>

export interface WritingParts extends Parts {
  pool: Pool
  octokitOf(installationId: number): Promise<Writer>
  appId: number
  defaults: Settings
  publicUrl: string | null
}

export function checkRunJob(parts: WritingParts): Job {
  const { prisma, now } = parts
  return {
    name: 'write check runs',
    everyMs: 2_000,
    async run() {
      const due = await repositoriesWithDue(prisma, { now: now(), most: most.repositories })
      const installations = new Set(due.map(({ installation_id }) => installation_id))
      // Octokit spaces the writes of an installation by a second. Those of another one do not wait for them.
      await Promise.all(
        [...installations].map(async (id) => {
          const ofInstallation = due.filter(({ installation_id }) => installation_id === id)
          for (const { repository_id } of ofInstallation) await writeDue(parts, repository_id)
        }),
      )
    },
  }
}

async function writeDue(parts: WritingParts, repository_id: bigint): Promise<void> {
  const { prisma, octokitOf, now, log } = parts
  const row = await prisma.repository.findUniqueOrThrow({ where: { repository_id } })
  const octokit = await octokitOf(Number(row.installation_id))
  for (const run of await takeDue(prisma, repository_id, { now: now(), most: most.checkRuns })) {
    try {
      await writeOne(parts, row, octokit, run)
    } catch (error) {
      const what = { repository: String(repository_id), number: run.number }
      log.warn({ ...what, ...safely(error) }, 'a check run was not written')
      if (await isRepositoryStopped(parts, row, error)) return
    }
  }
}

/** Whether the other check runs of a repository would fail as well: they are not tried before that can have changed. */
async function isRepositoryStopped({ prisma, now }: WritingParts, { repository_id }: Row, error: unknown) {
  const { code, options } = refusalOf(error)
  if (lacksPermission(error, '/check-runs')) {
    // An event says when it is granted.
    await prisma.repository.update({ where: { repository_id }, data: { may_write_checks: false, updated_at: now() } })
    return true
  }
  if (code !== 'rate_limited' || options.retryAt === undefined) return false
  // GitHub's wait is of this process's clock, and the table's times are the database's.
  const waitMs = options.retryAt - Date.now()
  await postpone(prisma, repository_id, new Date(now().getTime() + waitMs))
  return true
}

async function writeOne(parts: WritingParts, row: Row, octokit: Writer, run: CheckRun): Promise<void> {
  const { prisma, defaults, publicUrl } = parts
  const { repository_id, number, check_run_id, written } = run
  const settings = settingsInForce(row.settings, defaults)
  const { enabled, pull_request_report: reported } = settings.values
  const pull = await prisma.pullRequest.findUnique({ where: { repository_id_number: { repository_id, number } } })
  const isRead = pull?.is_open && pull.head_sha === run.head_sha && pull.read_head === run.head_sha
  const isReported = enabled && reported !== 'off'
  const checked = isRead && isReported ? await checkOfPull(parts, row, settings, number) : null
  // Its files are not read yet, and it is due again once they are; or nobody wants it.
  if (!checked) return saveWritten(prisma, run, { ...run, nextAt: null })
  const report = reportOf(checked, publicUrl === null ? null : `${publicUrl}/${row.owner}/${row.name}`)
  const digest = createHash('sha256')
    .update(JSON.stringify([report.title, report.conclusion, report.rows]))
    .digest('base64url')
  const withDrafts = reported !== 'ready'
  const isOurs = (withDrafts || !pull?.is_draft) && !(await isWrittenByAnother(prisma, run, withDrafts))
  const saved =
    isOurs && digest !== written
      ? { check_run_id: await write(octokit, row, run, report), written: digest }
      : { check_run_id, written }
  await saveChecked(parts, run, checked, saved)
}

/** A check of a pull request's own work, and the id of that: of the recorded work that covers it. Null where it has none. */
async function checkOfPull(
  { prisma, pool, now }: WritingParts,
  row: Row,
  settings: Settings,
  number: number,
): Promise<(Checked & { ownId: string }) | null> {
  const { repository_id, installation_id, is_public: isPublic } = row
  const records = await prisma.activity.findMany({
    where: { repository_id, pr_number: number, ...live(now()) },
    orderBy: { id: 'desc' },
  })
  const covering = records.find(({ source }) => source === 'recorded') ?? records[0]
  if (!covering) return null
  const asApp: CheckContext = {
    ...{ pool, settings, now, repository: { ...repositoryOf(row), isPublic, parent: null } },
    // Each installation has a token of its own, so that checks of one do not wait for those of another.
    tokenKey: `installation ${installation_id}`,
    seesPulls: async () => true,
    observe: () => observationOf(prisma, repository_id, { byApp: true, now: now() }),
  }
  return { ...(await checkRecord(asApp, covering)), ownId: covering.id }
}

/** What it names is looked at again with it, and what it meets now for the first time learns of it. */
async function saveChecked(
  parts: WritingParts,
  run: CheckRun,
  { decision, ownId }: Checked & { ownId: string },
  saved: Pick<CheckRun, 'check_run_id' | 'written'>,
): Promise<void> {
  const met = everyMet(decision)
  const notables = decision.notables.map(({ notable }) => notable)
  const named = [ownId, ...met.map(({ id }) => id), ...notables.map(({ id }) => id)]
  const nextAt = await nextEnd(parts, run.repository_id, named, notables.map(untilOf))
  const before = new Set(run.named)
  const numbers = met.filter(({ id }) => !before.has(id)).flatMap((one) => one.number ?? [])
  await inTransaction(parts.prisma, async (tx) => {
    await saveWritten(tx, run, { ...saved, named, nextAt })
    await lookAgain(tx, run.repository_id, { numbers }, parts.now())
  })
}

/** When the first of what it names expires, or ceases to apply. */
async function nextEnd(
  { prisma, now }: WritingParts,
  repository_id: bigint,
  ids: string[],
  ends: Date[],
): Promise<Date | null> {
  const where = { repository_id, id: { in: ids }, ...live(now()) }
  const { _min } = await prisma.activity.aggregate({ where, _min: { expires_at: true } })
  const times = [_min.expires_at, ...ends].flatMap((end) => end?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/** Completed at once: one that is queued would make merges wait. Returns its id. */
async function write(octokit: Writer, row: Row, run: CheckRun, report: Report): Promise<bigint> {
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
