import type { FileChange } from '../../changes/file-change.ts'
import { matchesAny } from '../../changes/ignored.ts'
import { joinedSpans, type Span } from '../../changes/spans.ts'
import { listFor } from '../../lib/maps.ts'
import type { Glob } from '../../scope/glob/glob.ts'

/** Work of which the changed files are known: an open pull request, or what a client says that it changed. */
export interface ChangedWork {
  baseBranch: string | null
  /** The login of its account. */
  author: string | null
  headSha: string | null
  /** The commits that its base branch lacks. */
  commits: ReadonlySet<string>
  files: readonly FileChange[]
  /** How many files it changes, also where `files` holds fewer. */
  filesTotal: number
}

/** What some work does at one path. A renamed file is changed at its old path, and added at its new one. */
export interface ChangedPath {
  kind: 'added' | 'modified' | 'removed'
  /** Null where the changed lines are not known. */
  spans: readonly Span[] | null
  change: FileChange
}

/** Work that is ready to be compared with others. */
export interface ComparableWork {
  work: ChangedWork
  byPath: ReadonlyMap<string, readonly ChangedPath[]>
}

/** Files that match `ignoredPaths` are left out. */
export function comparableWork(work: ChangedWork, ignoredPaths: readonly Glob[]): ComparableWork {
  const byPath = new Map<string, ChangedPath[]>()
  const add = (path: string, changed: ChangedPath) => {
    if (!matchesAny(path, ignoredPaths)) listFor(byPath, path).push(changed)
  }
  for (const change of work.files) {
    const { path, previous_path, status } = change
    const spans = change.lines && joinedSpans(change.lines)
    if (status !== 'renamed') add(path, { kind: status, spans, change })
    else {
      if (previous_path !== null) add(previous_path, { kind: 'modified', spans, change })
      add(path, { kind: 'added', spans: null, change })
    }
  }
  return { work, byPath }
}

/** Whether two pieces of work may collide: both merge into the same branch, as far as is known, and neither contains the other. */
export function mayCollide(a: ChangedWork, b: ChangedWork): boolean {
  const sameBase = a.baseBranch === null || b.baseBranch === null || a.baseBranch === b.baseBranch
  return sameBase && !contains(a, b) && !contains(b, a)
}

function contains({ commits }: ChangedWork, { headSha }: ChangedWork): boolean {
  return headSha !== null && commits.has(headSha)
}
