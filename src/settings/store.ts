import { z } from 'zod'
import type { Database } from '../db/database.ts'
import type { SettingsFileOrigin, SettingsProblem } from './effective.ts'
import { givenKeys } from './file.ts'
import { type Settings, SettingsFile } from './schema.ts'

/** What is kept of a repository's settings file: as it was last found good, and what is wrong with a newer one. */
export interface KeptSettings {
  /** The last good file; null where there is none. */
  file: { values: Partial<Settings>; origin: SettingsFileOrigin } | null
  problems: SettingsProblem[]
  /** Of the newest file, good or not. */
  etag: { repository: string; etag: string } | null
  checkedAt: Date
  /** How many events have said that the file may have changed. */
  marks: number
  /** Of how many of them the last reading knew. */
  marksRead: number
}

const Row = z.object({
  values: SettingsFile.transform(givenKeys).nullable(),
  repository: z.string().nullable(),
  path: z.string().nullable(),
  sha: z.string().nullable(),
  readAt: z.date().nullable(),
  problems: z.array(z.object({ field: z.string(), message: z.string() })),
  etagRepository: z.string().nullable(),
  etag: z.string().nullable(),
  checkedAt: z.date(),
  marks: z.number(),
  marksRead: z.number(),
})

/** Undefined where nothing is kept, or nothing that this version of the service takes for settings: the file is read anew. */
export async function readKeptSettings({ pool }: Database, repositoryId: bigint): Promise<KeptSettings | undefined> {
  const { rows } = await pool.query(
    `select file_values as "values", file_repository as repository, file_path as path, file_sha as sha,
            file_read_at as "readAt", problems, etag_repository as "etagRepository", etag,
            checked_at as "checkedAt", marks, marks_read as "marksRead"
       from repository_settings where repository_id = $1`,
    [repositoryId],
  )
  const parsed = Row.safeParse(rows[0])
  return parsed.success ? toKept(parsed.data) : undefined
}

function toKept(row: z.infer<typeof Row>): KeptSettings {
  const { values, repository, path, sha, readAt, problems, etagRepository, etag, checkedAt, marks, marksRead } = row
  const whole = values !== null && repository !== null && path !== null && sha !== null && readAt !== null
  return {
    file: whole ? { values, origin: { repository, path, sha, read_at: readAt } } : null,
    problems,
    etag: etagRepository !== null && etag !== null ? { repository: etagRepository, etag } : null,
    checkedAt,
    marks,
    marksRead,
  }
}

/** Keeps what was read, but for the marks that other transactions have made since: those stay. */
export async function keepSettings(
  { pool }: Database,
  repository: { id: bigint; owner: string },
  kept: KeptSettings,
): Promise<void> {
  const { file, problems, etag, checkedAt, marks, marksRead } = kept
  await pool.query(
    `insert into repository_settings (repository_id, owner, file_values, file_repository, file_path, file_sha, file_read_at,
            problems, etag_repository, etag, checked_at, marks, marks_read)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     on conflict (repository_id) do update
       set owner = excluded.owner, file_values = excluded.file_values, file_repository = excluded.file_repository,
           file_path = excluded.file_path, file_sha = excluded.file_sha, file_read_at = excluded.file_read_at,
           problems = excluded.problems, etag_repository = excluded.etag_repository, etag = excluded.etag,
           checked_at = excluded.checked_at, marks_read = excluded.marks_read`,
    [
      repository.id,
      repository.owner,
      file && JSON.stringify(file.values),
      file?.origin.repository ?? null,
      file?.origin.path ?? null,
      file?.origin.sha ?? null,
      file?.origin.read_at ?? null,
      JSON.stringify(problems),
      etag?.repository ?? null,
      etag?.etag ?? null,
      checkedAt,
      marks,
      marksRead,
    ],
  )
}
