import type { Activity as Presented, RetrievedActivity } from '../../../core/schemas/activity.ts'
import type { Context } from '../../context.ts'
import type { Activity } from '../../db/generated/client.ts'
import { changedFilesOf } from '../changes.ts'
import { asOf, live } from '../lifecycle.ts'
import { presentActivity, presentWhole } from '../present.ts'
import { getActivity } from './activities.ts'

/** A record with the changes that it shows, and the id of the record that has their files. */
type Shown = Activity & { files_of: string }

export async function activityAnswer(context: Context, row: Activity): Promise<Presented> {
  const [shown = row] = await withGithubChanges(context, [row])
  return presentActivity(shown, context.now())
}

export async function activityAnswers(context: Context, rows: Activity[]): Promise<Presented[]> {
  const now = context.now()
  return (await withGithubChanges(context, rows)).map((row) => presentActivity(row, now))
}

/** The single retrieve: with files. Throws `not_found`. */
export async function retrieveActivity(context: Context, id: string): Promise<RetrievedActivity> {
  const row = await getActivity(context, id)
  const [shown = { ...row, files_of: id }] = await withGithubChanges(context, [row])
  const { repository_id, changes_by, files_of } = shown
  const changed_files = changes_by === null ? [] : await changedFilesOf(context.prisma, { repository_id, id: files_of })
  return presentWhole({ ...shown, changed_files }, context.repository.defaultBranch, context.now())
}

/**
 * Work that covers a pull request, and of whose changes its client says nothing, shows those that GitHub says: the newest live record
 * with the number does, to those who may see pull requests.
 */
async function withGithubChanges(context: Context, rows: Activity[]): Promise<Shown[]> {
  const now = context.now()
  const silent = new Set(rows.filter((row) => isSilent(asOf(row, now))))
  const covered =
    silent.size > 0 && (await context.seesPulls()) ? await coveredBy(context, [...silent], now) : new Map()
  return rows.map((row) => ({ ...row, files_of: row.id, ...(silent.has(row) && covered.get(row.id)) }))
}

function isSilent({ source, changes_by, pr_number, ended_at }: Activity): boolean {
  return source === 'recorded' && changes_by === null && pr_number !== null && ended_at === null
}

/** What GitHub says, by the id of the record that covers. */
async function coveredBy({ prisma, repository }: Context, asking: readonly Activity[], now: Date) {
  const pr_number = { in: asking.flatMap((row) => row.pr_number ?? []) }
  const changes = { changes_by: true, changes_head: true, changes_total: true, changes_read_at: true } as const
  const alive = await prisma.activity.findMany({
    where: { repository_id: repository.id, pr_number, ...live(now) },
    select: { id: true, source: true, pr_number: true, ...changes },
    orderBy: { id: 'asc' },
  })
  // The newest of each number is the last one.
  const covers = new Map(alive.filter(({ source }) => source === 'recorded').map((row) => [row.pr_number, row.id]))
  const observed = alive.filter(({ source }) => source === 'pull_request')
  return new Map(
    observed.map(({ id, source: _, pr_number, ...said }) => [covers.get(pr_number), { ...said, files_of: id }]),
  )
}
