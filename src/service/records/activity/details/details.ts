import type { FileChange } from '../../../../core/changes/file-change.ts'
import { type KnownChanges, unionOf } from '../../../../core/changes/union.ts'
import { sortedNumbers } from '../../../../core/lib/sorted-numbers.ts'

/** What a response shows in addition to the row of an activity. */
export interface ActivityDetails {
  /** The recorded activity that covers this observed work. */
  covered_by: string | null
  changes: ShownChanges | null
  /** The issues of the pull request that this recorded activity covers. */
  issues: readonly number[]
}

/** Changes. `files` is empty if only their number was loaded. */
export type ShownChanges = KnownChanges & { files_known: number; directories: readonly string[] }

/** A saved list has at most as many. */
const mostDirectories = 20

export const noDetails: ActivityDetails = { covered_by: null, changes: null, issues: [] }

/** A saved list of changes of an activity. An activity without any has one row, with nulls. */
export interface DetailRow {
  id: string
  covered_by: string | null
  /** The issues of covered work; null for the activity's own changes. */
  issues: number[] | null
  by: 'github' | 'client' | null
  head_sha: string | null
  /** Null if only their number was loaded. */
  files: FileChange[] | null
  /** The commits of a pull request or a pushed branch; null if they are not known, or were not loaded. */
  commits: string[] | null
  files_total: number
  files_known: number
  /** Where the files lie (docs/rules.md#changed-directories). */
  directories: string[]
  read_at: Date
}

/** The details of one activity. */
export function toDetails(rows: readonly DetailRow[]): ActivityDetails {
  const known = (by: 'github' | 'client') => rows.flatMap((row) => (row.by === by ? knownChanges(row) : []))
  const changes = [...known('github'), ...known('client')].reduce(unionOf, null)
  const saved = rows.filter(({ by }) => by !== null)
  const files_known = saved.length === 1 ? saved[0]?.files_known : changes?.files.length
  const directories = [...new Set(saved.flatMap((row) => row.directories))].sort().slice(0, mostDirectories)
  return {
    covered_by: rows[0]?.covered_by ?? null,
    issues: sortedNumbers(rows.flatMap(({ issues }) => issues ?? [])),
    changes: changes && { ...changes, files_known: files_known ?? 0, directories },
  }
}

function knownChanges({ by, head_sha, files, files_total, read_at }: DetailRow): KnownChanges[] {
  return by === null ? [] : [{ by, head_sha, files: files ?? [], files_total, read_at }]
}
