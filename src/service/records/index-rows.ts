import type { ChangedFile, Prisma } from '../db/generated/client.ts'

/** The record that the rows are of. */
export interface Owner {
  repository_id: bigint
  id: string
}

/** A changed file as it is stored. */
export type FileColumns = Pick<ChangedFile, 'path' | 'previous_path' | 'status' | 'lines' | 'has_lines'>

/** Places and changed files, thousands at once. By SQL, since Prisma takes two seconds of processor time for 3,000 files. */
type Writer = Pick<Prisma.TransactionClient, '$executeRaw'>

export function insertPlaces(tx: Writer, { repository_id, id }: Owner, keys: readonly string[]) {
  return tx.$executeRaw`
    insert into places (repository_id, activity_id, key) select ${repository_id}, ${id}, unnest(${keys}::text[])`
}

export function deletePlaces(tx: Writer, { repository_id, id }: Owner, keys: readonly string[]) {
  return tx.$executeRaw`
    delete from places where repository_id = ${repository_id} and activity_id = ${id} and key = any(${keys}::text[])`
}

export function insertFiles(tx: Writer, { repository_id, id }: Owner, files: readonly FileColumns[]) {
  return tx.$executeRaw`
    insert into changed_files (repository_id, activity_id, path, previous_path, status, lines, has_lines)
    select ${repository_id}, ${id}, path, previous_path, status::"FileStatus", lines, has_lines
      from jsonb_to_recordset(${JSON.stringify(files)}::jsonb)
        as file(path text, previous_path text, status text, lines integer[], has_lines boolean)`
}

export function deleteFiles(tx: Writer, { repository_id, id }: Owner, paths: readonly string[]) {
  return tx.$executeRaw`
    delete from changed_files where repository_id = ${repository_id} and activity_id = ${id} and path = any(${paths}::text[])`
}
