import { byPathOrder } from './changed-paths.ts'
import type { ChangedLines, FileChange, FileStatus } from './file-change.ts'
import { linesOfSpans, type Span, spansOfLines } from './spans.ts'

/** The changes of an activity, as GitHub or a client reports them. */
export interface KnownChanges {
  by: 'github' | 'client' | 'both'
  head_sha: string | null
  files: readonly FileChange[]
  /** How many files are changed. It may be more than `files` holds. */
  files_total: number
  read_at: Date
}

/** The union of both changes; null if both are null. The commit and the time are GitHub's if it reported any. */
export function unionOf(github: KnownChanges | null, client: KnownChanges | null): KnownChanges | null {
  if (github === null || client === null) return github ?? client
  const files = unionOfFiles(github.files, client.files)
  return {
    by: github.by === client.by ? github.by : 'both',
    head_sha: github.head_sha,
    files,
    files_total: Math.max(files.length, github.files_total, client.files_total),
    read_at: github.read_at,
  }
}

/** Each path once, sorted. No path, old name or known line of GitHub's files (`a`) or the client's (`b`) is lost. */
export function unionOfFiles(a: readonly FileChange[], b: readonly FileChange[]): FileChange[] {
  const byPath = new Map<string, FileChange>()
  const add = (change: FileChange) => {
    const known = byPath.get(change.path)
    byPath.set(change.path, known ? unionOfChanges(known, change) : change)
  }
  for (const change of [...a, ...b]) add(change)
  for (const { path, previous_path } of [...a, ...b]) {
    const isNamed = previous_path === null || byPath.get(path)?.previous_path === previous_path
    if (!isNamed && !byPath.has(previous_path)) add({ path: previous_path, ...movedAway })
  }
  return [...byPath.values()].sort(byPathOrder)
}

/** The old name of a renamed file, where the other side has another old name for the new path. */
const movedAway = { previous_path: null, status: 'removed', lines: null } as const

/** The more specific status comes first. */
const mostSpecific: readonly FileStatus[] = ['renamed', 'removed', 'added', 'modified']

function unionOfChanges(a: FileChange, b: FileChange): FileChange {
  const [more] = [a, b].sort((x, y) => mostSpecific.indexOf(x.status) - mostSpecific.indexOf(y.status))
  return { ...a, ...more, ...unionOfLines(a, b), blob: unionOfBlobs(a, b) }
}

/**
 * The blob of a file: the one that both sides name, or GitHub's where the client names none and adds no lines. A blob that only
 * the client names is dropped, since GitHub's lines may be those of another content.
 */
function unionOfBlobs(github: FileChange, client: FileChange): FileChange['blob'] {
  if (client.blob === undefined && addsNoLines(github, client)) return github.blob
  return github.blob === client.blob ? github.blob : undefined
}

function addsNoLines(a: ChangedLines, b: ChangedLines): boolean {
  const known = new Set(spansOfLines(a).map(String))
  return b.lines === null || (a.lines !== null && spansOfLines(b).every((span) => known.has(String(span))))
}

/** The lines of both. If one side has no lines, those of the other are used: known lines give more exact results. */
function unionOfLines(a: ChangedLines, b: ChangedLines): ChangedLines {
  if (a.lines === null || b.lines === null) {
    const { lines, inserts } = a.lines === null ? b : a
    return { lines, inserts }
  }
  const distinct = new Map<string, Span>([...spansOfLines(a), ...spansOfLines(b)].map((span) => [span.join(), span]))
  return linesOfSpans([...distinct.values()].sort((x, y) => x[0] - y[0] || x[1] - y[1]))
}
