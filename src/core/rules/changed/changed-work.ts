import type { FileChange, FileStatus } from '../../changes/file-change.ts'
import { joinedSpans, type Span } from '../../changes/spans.ts'

/** Work of which the changed files are known: an open pull request, or what a client says that it changed. */
export interface ChangedWork {
  baseBranch: string | null
  /** The login of its account. */
  author: string | null
  headSha: string | null
  /** The commits that its base branch lacks. */
  commits: ReadonlySet<string>
  files: readonly FileChange[]
  /** Whether it is of somebody outside of the project, so that no text names the files that it alone adds. */
  hidesWords?: boolean
  /** How many files it changes, also where `files` holds fewer. */
  filesTotal: number
}

/** What some work does at one path. A renamed file is changed at its old path, and added at its new one. */
export interface ChangedPath {
  kind: Exclude<FileStatus, 'renamed'>
  change: FileChange
}

/** Work that is ready to be compared with others. */
export interface ComparableWork {
  work: ChangedWork
  byPath: ReadonlyMap<string, readonly ChangedPath[]>
}

export function comparableWork(work: ChangedWork): ComparableWork {
  const byPath = new Map<string, ChangedPath[]>()
  const add = (path: string, changed: ChangedPath) => {
    const others = byPath.get(path)
    if (others === undefined) byPath.set(path, [changed])
    else others.push(changed)
  }
  for (const change of work.files) {
    const { path, previous_path, status } = change
    if (status !== 'renamed') add(path, { kind: status, change })
    else {
      if (previous_path !== null) add(previous_path, { kind: 'modified', change })
      add(path, { kind: 'added', change })
    }
  }
  return { work, byPath }
}

/** The spans of the change; null if they are not known. */
export function spansOf({ lines, inserts }: FileChange): readonly Span[] | null {
  return lines === null ? null : joinedSpans({ lines, inserts })
}

/** Whether two pieces of work may collide: both merge into the same branch, as far as is known, and neither contains the other. */
export function mayCollide(a: ChangedWork, b: ChangedWork): boolean {
  const sameBase = a.baseBranch === null || b.baseBranch === null || a.baseBranch === b.baseBranch
  return sameBase && !areStacked(a, b)
}

type Commits = Pick<ChangedWork, 'headSha' | 'commits'>

/** Whether the head of one is among the commits of the other. */
export function areStacked(a: Commits, b: Commits): boolean {
  return contains(a, b) || contains(b, a)
}

function contains({ commits }: Commits, { headSha }: Commits): boolean {
  return headSha !== null && commits.has(headSha)
}
