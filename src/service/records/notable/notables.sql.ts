import type { NotableStatus } from '../../../core/enums.ts'
import type { NotableFilters } from '../../../core/schemas/notable.ts'
import { areaKey } from '../../../core/scope/area-key.ts'
import type { Database } from '../../db/database.ts'
import { type Notable as NotableModel, Prisma } from '../../db/generated/client.ts'
import { notableIndexEntries } from '../../db/sql/index-entries.sql.ts'
import {
  columnsOfList,
  type ListedPage,
  type ListedRow,
  type RecordPage,
  recordPageSql,
  withLongTexts,
} from '../../db/sql/record-page.sql.ts'
import type { SqlParams } from '../../db/sql/sql-params.ts'

/** A stored notable. Its status may be outdated: `withNotableExpiryApplied` gives the status at an instant. */
export type NotableRow = Omit<NotableModel, 'changed_by'>
export type NotableChanges = Partial<
  Pick<NotableRow, 'summary' | 'importance' | 'decision_url' | 'applies_until' | 'blocking' | 'updated_at'>
>

const columnNames = Object.values(Prisma.NotableScalarFieldEnum).filter((name) => name !== 'changed_by')
const columns = columnNames.join(', ')

/**
 * Deletes the index entries of the notables in `ended`, in the statement that ends them: only active notables are compared, and
 * none becomes active again.
 */
export const withoutIndexEntries = `delete from notable_scope_keys as entry using ended
  where entry.repository_id = ended.repository_id and entry.notable_id = ended.id`

/**
 * Inserts the notable with its index entries, and archives the active ones that it supersedes, in one statement
 * (docs/rules.md#superseded-notables).
 */
export async function insertNotable(db: Prisma.TransactionClient, row: NotableRow, changedBy: string): Promise<void> {
  const { repository_id, supersedes, created_at: at } = row
  await db.$executeRaw`
    with ended as (
      update notables set status = 'archived', archived_at = ${at}, ended_at = ${at}, updated_at = ${at}, changed_by = ${changedBy}
       where repository_id = ${repository_id} and id = any(${supersedes}) and status = 'active' and expires_at > ${at}
      returning repository_id, id),
    unindexed as (${Prisma.raw(withoutIndexEntries)}),
    inserted as (
      insert into notables (${Prisma.raw(columns)}, changed_by)
      values (${Prisma.join(columnNames.map((name) => row[name]))}, ${changedBy})
      returning repository_id, id)
    insert into notable_scope_keys (repository_id, kind, key, tail, extent, notable_id)
    select inserted.repository_id, entry.kind, entry.key, entry.tail, entry.extent, inserted.id
      from inserted, ${notableIndexEntries(row)}`
}

export async function findNotable(db: Database, repositoryId: bigint, id: string): Promise<NotableRow | undefined> {
  const { rows } = await db.query<NotableRow>(`select ${columns} from notables where repository_id = $1 and id = $2`, [
    repositoryId,
    id,
  ])
  return rows[0]
}

/** Which of these ids are notables of this repository whose retention is not over. */
export async function knownNotables(
  db: Database,
  repositoryId: bigint,
  ids: string[],
  endedAfter: Date,
): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>(
    `select id from notables
      where repository_id = $1 and id = any($2) and coalesce(ended_at, expires_at) > $3`,
    [repositoryId, ids, endedAfter],
  )
  return new Set(rows.map((row) => row.id))
}

function statusCondition(status: NotableStatus | undefined): string {
  switch (status) {
    case undefined:
    case 'active':
      return 'ended_at is null and expires_at > $2'
    case 'expired':
      return `status <> 'archived' and expires_at <= $2 and expires_at > $3`
    case 'archived':
      return `status = 'archived' and ended_at > $3`
  }
}

export async function pageOfNotables(db: Database, page: RecordPage<NotableFilters>): Promise<NotableRow[]> {
  const { text, values } = recordPageSql(`select ${columns} from notables`, page, conditionsOf)
  const { rows } = await db.query<NotableRow>(text, values)
  return rows
}

/** The same for a list: up to the size of a page. */
export async function listedNotables(db: Database, page: RecordPage<NotableFilters>): Promise<ListedPage<NotableRow>> {
  const { repositoryId, count } = page
  const select = `select ${columnsOfList(columnNames)} from notables`
  const { text, values } = recordPageSql(select, { ...page, count: count + 1 }, conditionsOf)
  const { rows: all } = await db.query<ListedRow<NotableRow>>(text, values)
  const { rows, isCut, isLong } = await withLongTexts(db, 'notables', repositoryId, all.slice(0, count))
  return { rows: rows.map(({ row, texts }) => ({ ...row, ...texts })), more: isCut || all.length > count, isLong }
}

function conditionsOf({ status, importance, category, area }: NotableFilters, bind: SqlParams): string[] {
  const conditions = [statusCondition(status)]
  if (importance !== undefined) conditions.push(`importance = ${bind(importance)}`)
  if (category !== undefined) conditions.push(`category = ${bind(category)}`)
  if (area !== undefined) conditions.push(`area_keys @> array[${bind(areaKey(area))}::text]`)
  return conditions
}

/** Finds a notable and locks its row until the transaction ends. */
export async function lockNotable(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  id: string,
): Promise<NotableRow | undefined> {
  const [locked] = await tx.$queryRaw<{ id: string }[]>`
    select id from notables where repository_id = ${repositoryId} and id = ${id} for update`
  if (!locked) return undefined
  const row = await tx.notable.findUnique({
    where: { repository_id_id: { repository_id: repositoryId, id } },
    omit: { changed_by: true },
  })
  return row ?? undefined
}

export async function changeNotable(
  tx: Prisma.TransactionClient,
  { repository_id, id }: Pick<NotableRow, 'repository_id' | 'id'>,
  changes: NotableChanges,
  changedBy: string,
): Promise<NotableRow> {
  return tx.notable.update({
    where: { repository_id_id: { repository_id, id } },
    data: { ...changes, changed_by: changedBy },
    omit: { changed_by: true },
  })
}

/** Archives an active or expired notable; undefined if it does not exist or is archived already. */
export async function archiveNotableRow(
  db: Database,
  repositoryId: bigint,
  id: string,
  { now, changedBy }: { now: Date; changedBy: string },
): Promise<NotableRow | undefined> {
  const { rows } = await db.query<NotableRow>(
    `with ended as (
       update notables set status = 'archived', archived_at = $3, ended_at = $3, updated_at = $3, changed_by = $4
        where repository_id = $1 and id = $2 and status <> 'archived'
        returning ${columns}),
     unindexed as (${withoutIndexEntries})
     select ${columns} from ended`,
    [repositoryId, id, now, changedBy],
  )
  return rows[0]
}

/** Saves the expiry of an active notable whose time is over (docs/rules.md#expiry). */
export async function expireNotableIfDue(db: Database, repositoryId: bigint, id: string, now: Date): Promise<void> {
  await db.query(
    `with ended as (
       update notables set status = 'expired', ended_at = expires_at, updated_at = expires_at
        where repository_id = $1 and id = $2 and ended_at is null and expires_at <= $3
        returning repository_id, id)
     ${withoutIndexEntries}`,
    [repositoryId, id, now],
  )
}
