import type { StoredFile } from '../../core/overlap/work.ts'
import type { FileRow } from './candidate-files.ts'
import type { Row } from './candidates.ts'

/** Live work with the pull request that it covers: that one's changes and issues are its own. */
export interface Candidate<Own = Row> {
  row: Own
  covered: Row | null
}

/** The newest live record with the number of a pull request covers it. What is covered is not compared by itself. */
export function withCovered(rows: readonly Row[]): Candidate[] {
  const covers = new Map<number, Row>()
  const pulls = new Map<number, Row>()
  for (const row of rows) {
    if (row.pr_number === null) continue
    if (row.source === 'pull_request') pulls.set(row.pr_number, row)
    else if ((covers.get(row.pr_number)?.id ?? '') < row.id) covers.set(row.pr_number, row)
  }
  return rows.flatMap((row) => {
    const cover = row.pr_number === null ? undefined : covers.get(row.pr_number)
    if (row.source === 'pull_request') return cover ? [] : [{ row, covered: null }]
    return [{ row, covered: cover === row ? (pulls.get(cover.pr_number ?? 0) ?? null) : null }]
  })
}

/** What a client says replaces what GitHub says, where the client's commits hold the head of the pull request; else both count. */
export function filesOfCandidate(
  { row, covered }: Candidate<Pick<Row, 'id' | 'changes_by' | 'has_pull_head'>>,
  filesById: ReadonlyMap<string, readonly FileRow[]>,
): StoredFile[] {
  const own = (filesById.get(row.id) ?? []).map((file) => ({ ...file, toldBy: row.changes_by ?? 'client' }))
  if (covered === null || isReplaced(row)) return own
  return [...own, ...(filesById.get(covered.id) ?? []).map((file) => ({ ...file, toldBy: 'github' as const }))]
}

function isReplaced({ changes_by, has_pull_head }: Pick<Row, 'changes_by' | 'has_pull_head'>): boolean {
  return changes_by === 'client' && has_pull_head
}

/** Whether files of the pull request that it covers count, and are not all kept. */
export function lacksFilesOfPull({ row, covered }: Candidate<Pick<Row, 'changes_by' | 'has_pull_head'>>): boolean {
  return covered?.is_incomplete === true && !isReplaced(row)
}

export function issuesOf({ row, covered }: Candidate<Pick<Row, 'issues'>>): number[] {
  return [...new Set([...row.issues, ...(covered?.issues ?? [])])].sort((a, b) => a - b)
}

/** `Map.groupBy` comes with Node 21. */
export function groupedById(files: readonly FileRow[]): Map<string, FileRow[]> {
  const groups = new Map<string, FileRow[]>()
  for (const file of files) {
    const group = groups.get(file.activity_id)
    if (group) group.push(file)
    else groups.set(file.activity_id, [file])
  }
  return groups
}
