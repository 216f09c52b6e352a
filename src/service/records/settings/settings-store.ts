import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { Prisma, type RepositorySettings } from '../../db/generated/client.ts'
import { mergeSettings } from './effective.ts'
import { givenKeys } from './file.ts'
import type { SavedSettings } from './saved-settings.ts'
import { SavedSettingsFile, type Settings } from './schema.ts'

const FileValues = SavedSettingsFile.transform(givenKeys).nullable()
const Problems = z.array(z.object({ field: z.string(), message: z.string() }))

/** Undefined if nothing is saved, or if this version of the service does not accept it. The file is then read again. */
export async function findSavedSettings(
  { prisma }: Database,
  repositoryId: bigint,
): Promise<SavedSettings | undefined> {
  const row = await prisma.repositorySettings.findUnique({ where: { repository_id: repositoryId } })
  return row ? fromRow(row) : undefined
}

function fromRow(row: RepositorySettings): SavedSettings | undefined {
  const { file_repository: repository, file_path: path, file_sha: sha, file_read_at: read_at, etag } = row
  const values = FileValues.safeParse(row.file_values)
  const problems = Problems.safeParse(row.problems)
  if (!values.success || !problems.success) return undefined
  const { data } = values
  const hasFile = data !== null && repository !== null && path !== null && sha !== null && read_at !== null
  return {
    file: hasFile ? { values: data, origin: { repository, path, sha, read_at } } : null,
    problems: problems.data,
    etag: row.etag_repository !== null && etag !== null ? { repository: row.etag_repository, etag } : null,
    checkedAt: row.checked_at,
    invalidations: row.marks,
    invalidationsSeen: row.marks_read,
  }
}

/** Saves what was read. Invalidations that other transactions have counted since then stay. */
export async function saveSettings(
  { prisma }: Database,
  repository: { id: bigint; owner: string },
  { file, problems, etag, checkedAt, invalidations, invalidationsSeen }: SavedSettings,
): Promise<void> {
  const columns = {
    owner: repository.owner,
    file_values: file?.values ?? Prisma.DbNull,
    file_repository: file?.origin.repository ?? null,
    file_path: file?.origin.path ?? null,
    file_sha: file?.origin.sha ?? null,
    file_read_at: file?.origin.read_at ?? null,
    problems: problems.map(({ field, message }) => ({ field, message })),
    etag_repository: etag?.repository ?? null,
    etag: etag?.etag ?? null,
    checked_at: checkedAt,
    marks_read: invalidationsSeen,
  }
  await prisma.repositorySettings.upsert({
    where: { repository_id: repository.id },
    create: { repository_id: repository.id, ...columns, marks: invalidations },
    update: columns,
  })
}

/** The settings of a repository as far as the database has them. */
export interface KnownSettings {
  settings: Settings
  /** Whether its settings file was ever looked for. Until then nobody knows what it sets. */
  wereRead: boolean
}

/** The settings with the keys that the last valid settings file sets; without these if no valid one is saved. */
export async function findSettings(
  tx: Prisma.TransactionClient,
  repositoryId: bigint,
  operator: Partial<Settings>,
): Promise<KnownSettings> {
  const row = await tx.repositorySettings.findUnique({
    where: { repository_id: repositoryId },
    select: { file_values: true },
  })
  const values = FileValues.safeParse(row?.file_values).data ?? {}
  return { settings: mergeSettings(operator, values).settings, wereRead: row !== null }
}

/** Invalidates the settings of a repository: the next use reads the file again (docs/rules.md#reading-settings). */
export async function invalidateSettings(tx: Prisma.TransactionClient, repositoryId: bigint): Promise<number> {
  const { count } = await tx.repositorySettings.updateMany({
    where: { repository_id: repositoryId },
    data: { marks: { increment: 1 } },
  })
  return count
}
