import type { neighbourhoodOf } from '../../core/overlap/lookups.ts'
import { type ChangedFile, Prisma } from '../db/generated/client.ts'
import { isSeen, isStranger, type Reader } from './candidates.ts'

/** The statements that find changed files, by `pg` as those of `candidates.ts`. */

/** Files of candidates at paths that the proposal names or changes, and those that clients say below its wide globs. */
const mostAtPaths = 20_000
const mostOfClients = 5_000
/** Files of pull requests below wide globs. */
const mostBelow = 2_000
const mostNear = 20_000

const { sql } = Prisma

export type FileRow = Pick<ChangedFile, 'activity_id' | 'path' | 'status' | 'lines' | 'has_lines'>

/** Some files. `dropped` is the first work whose files are not all there; those that come after it lack some too. */
export interface Files {
  files: FileRow[]
  dropped: string | null
}

const columns = sql`f.activity_id, f.path, f.status, f.lines, f.has_lines`

/** The file `f` lies below `directory`, which ends with a `/` and is empty at the top. Two conditions that the index takes both. */
const isBelow = sql`f.path ~>=~ directory
  and f.path ~<~ case directory when '' then chr(1114111) else left(directory, -1) || '0' end`

/** Their files, in the order of the works. */
export async function filesOfWorks(
  { pool, repository }: Reader,
  ids: readonly string[],
  most: number,
  condition: Prisma.Sql = sql`true`,
): Promise<Files> {
  const { rows } = await pool.query<FileRow>(sql`
    select ${columns} from unnest(${ids}::text[]) with ordinality as wanted(id, place)
      join changed_files f on f.repository_id = ${repository.id} and f.activity_id = wanted.id
     where ${condition} order by wanted.place, f.path limit ${most + 1}`)
  const [dropped] = rows.splice(most)
  return { files: rows, dropped: dropped?.activity_id ?? null }
}

/** What these works do to these files. */
export function filesAtPaths(reader: Reader, ids: readonly string[], paths: readonly string[]): Promise<Files> {
  return filesOfWorks(reader, ids, mostAtPaths, sql`f.path = any(${paths}::text[])`)
}

/** What clients say that these works change below these directories. */
export function filesOfClients(reader: Reader, ids: readonly string[], directories: readonly string[]): Promise<Files> {
  const isInOne = sql`exists (select from unnest(${directories}::text[]) as directory where ${isBelow})`
  return filesOfWorks(reader, ids, mostOfClients, isInOne)
}

/** The files of open pull requests below these directories, members' first. `isCut`: there are more of members than could be read. */
export async function filesOfPulls(reader: Reader, directories: readonly string[]) {
  const { pool, repository, seesPulls } = reader
  const { id } = repository
  if (!seesPulls || directories.length === 0) return { files: [], isCut: false }
  const read = async (ofStrangers: boolean, most: number) => {
    // In the order of the index, so that PostgreSQL stops after as many as are wanted.
    const first = sql`order by f.path using ~<~, f.activity_id limit ${most}`
    const { rows } = await pool.query<FileRow>(sql`
      select ${columns} from unnest(${directories}::text[]) as directory cross join lateral (
        select f.* from changed_files f join activities a on a.repository_id = ${id} and a.id = f.activity_id
          join pull_requests pull on pull.repository_id = ${id} and pull.number = a.pr_number and pull.is_open
         where f.repository_id = ${id} and not f.is_over and ${isBelow} and a.source = 'pull_request'
           and ${isSeen(reader)} and ${isStranger} = ${ofStrangers} ${first}) f ${first}`)
    return rows
  }
  const members = await read(false, mostBelow + 1)
  const strangers = members.length < mostBelow ? await read(true, mostBelow - members.length) : []
  return { files: [...members.slice(0, mostBelow), ...strangers], isCut: members.length > mostBelow }
}

/**
 * Files of other work that git can not merge with the proposal, though no path is the same: one of each work and directory. `isCut`:
 * there are more.
 */
export async function filesOfNeighbourhood(
  { pool, repository: { id } }: Reader,
  { added, renamed, below }: ReturnType<typeof neighbourhoodOf>,
) {
  if (added.length + renamed.length + below.length === 0) return { files: [], isCut: false }
  const filesIn = (directories: readonly string[], condition: Prisma.Sql) => sql`
    select ${columns}, directory from unnest(${directories}::text[]) as directory
      join changed_files f on f.repository_id = ${id} and not f.is_over and ${isBelow} and ${condition}`
  const isDirectlyIn = sql`position('/' in substr(f.path, length(directory) + 1)) = 0`
  const { rows } = await pool.query<FileRow>(sql`
    select distinct on (f.activity_id, directory) ${columns} from (
      ${filesIn(added, sql`f.status = 'renamed_from' and ${isDirectlyIn}`)}
      union all ${filesIn(renamed, sql`f.status = 'added' and ${isDirectlyIn}`)}
      union all ${filesIn(below, sql`f.status not in ('removed', 'renamed_from')`)}) f
     order by f.activity_id, directory, f.path using ~<~ limit ${mostNear + 1}`)
  return { files: rows.slice(0, mostNear), isCut: rows.length > mostNear }
}
