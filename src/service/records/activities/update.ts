import { AppError } from '../../../core/errors.ts'
import type { ActivityUpdate } from '../../../core/schemas/activity.ts'
import { withoutUndefined } from '../../../core/without-undefined.ts'
import type { Context } from '../../context.ts'
import { type Activity, Prisma } from '../../db/generated/client.ts'
import type { Transaction } from '../../db/retry.ts'
import {
  changedFilesOf,
  changesColumns,
  difference,
  type FileColumns,
  saveChangedFiles,
  storedFiles,
} from '../changes.ts'
import { differing } from '../differing.ts'
import { keyOf } from '../ids.ts'
import { type Act, asOf, touched, transition } from '../lifecycle.ts'
import { changeLocked } from '../locked.ts'
import { followPlaces, placesOf, savePlaces } from '../places.ts'
import { linkFor, pullLink } from '../pull-links.ts'
import { activities, getActivity } from './activities.ts'
import { type Beaten, beatStatement } from './heartbeat.ts'

/**
 * Changes the fields that are sent; the same values move nothing. The row is locked meanwhile: of two at once, the later sees what
 * the earlier wrote. Throws `not_found`, `observed` and `invalid_transition`; then nothing is changed.
 */
export async function updateActivity(context: Context, id: string, input: ActivityUpdate): Promise<Activity> {
  const patch = await readPatch(context, input)
  const row = await changeLocked(context, activities, id, async (tx, row, now) =>
    row.source === 'recorded' ? update(tx, context, row, { ...patch, now }) : null,
  )
  if (row) return row
  await getActivity(context, id)
  throw new AppError('observed', 'This is an open pull request: GitHub changes it. Record work of your own for it.')
}

interface Patch extends Act {
  columns: Partial<Activity>
  status: ActivityUpdate['status']
  changes: ActivityUpdate['changes']
  isHeartbeat: boolean
}

async function readPatch(context: Context, input: ActivityUpdate): Promise<Omit<Patch, 'now'>> {
  const { status, heartbeat = false, scope, changes, pr_url, ...given } = input
  const link = pr_url == null ? { pr_url: null, pr_number: null } : pullLink(pr_url, context)
  const columns = { ...withoutUndefined(given), ...scope, ...(pr_url !== undefined && link) }
  // GitHub is asked before the transaction is open.
  const login = status === undefined ? null : await context.login()
  return { columns, status, changes, isHeartbeat: heartbeat, login }
}

async function update(tx: Transaction, context: Context, row: Activity, patch: Patch): Promise<Activity> {
  const { columns, status, changes, isHeartbeat, now } = patch
  const current = asOf(row, now)
  const files = changes === undefined ? null : await newFiles(tx, current, changes, now)
  const moved = {
    ...current,
    ...columns,
    ...files?.columns,
    ...(status !== undefined && transition(status, current, patch)),
  }
  const next = moved.ended_at === null ? { ...moved, ...(await linkFor(tx, context, moved, row.pr_number)) } : moved
  const changed = differing(current, next)
  const data = {
    ...differing(row, current),
    ...changed,
    ...(Object.keys(changed).length > 0 && { updated_at: touched(current, now) }),
  }
  const written = Object.keys(data).length === 0 ? row : await write(tx, row, data, files)
  if (!isHeartbeat) return written
  const beat = { repositoryId: row.repository_id, at: now, settings: context.settings.values }
  const [beaten] = await tx.$queryRaw<Beaten[]>(beatStatement(Prisma.sql`id = ${row.id}`, beat))
  return { ...written, ...beaten }
}

async function write(
  tx: Transaction,
  row: Activity,
  data: Partial<Activity>,
  files: NewFiles | null,
): Promise<Activity> {
  const updated = await tx.activity.update({ where: keyOf(row), data })
  if (files) {
    await saveChangedFiles(tx, row, files.change)
    await savePlaces(tx, row, placesOf(updated, files.after))
  } else await followPlaces(tx, row, data)
  return updated
}

interface NewFiles {
  columns: ReturnType<typeof changesColumns>
  change: ReturnType<typeof difference>
  after: FileColumns[]
}

/** Null where the same changes are stored. */
async function newFiles(
  tx: Transaction,
  row: Activity,
  changes: NonNullable<ActivityUpdate['changes']> | null,
  now: Date,
): Promise<NewFiles | null> {
  const after = storedFiles(changes)
  const change = difference(await changedFilesOf(tx, row), after)
  const columns = changesColumns(changes, now)
  const { changes_read_at: _, ...said } = columns
  const isSame = change.added.length + change.removed.length + Object.keys(differing(row, said)).length === 0
  return isSame ? null : { columns, change, after }
}

/** Idempotent. Work that has ended otherwise, and is not archived, is archived too; a pull request is put aside by it. */
export async function archiveActivity(context: Context, id: string): Promise<Activity> {
  // Whether the caller may see it is a question to GitHub, too.
  await getActivity(context, id)
  const login = await context.login()
  return changeLocked(context, activities, id, (tx, row, now) => archive(tx, row, { now, login }))
}

async function archive(tx: Transaction, row: Activity, act: Act): Promise<Activity> {
  const current = asOf(row, act.now)
  const moved = transition('archived', current, act)
  const isMoved = Object.keys(moved).length > 0
  const data = { ...differing(row, current), ...moved, ...(isMoved && { updated_at: touched(current, act.now) }) }
  if (Object.keys(data).length === 0) return row
  return tx.activity.update({ where: keyOf(row), data })
}
