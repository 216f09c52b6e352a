import type { ChangedLines, FileChange, FileStatus } from './file-change.ts'
import { objectId } from './object-id.ts'
import { changedLines } from './unified-diff.ts'

interface RawRecord {
  /** The modes before and after, and the object id after: zeros where git has not stored the content. */
  modes: readonly [string, string]
  id: string
  letter: string
  path: string
  previousPath: string | null
}

/**
 * The changes that `git diff --raw -z --patch` prints, with any amount of context. Names come from the raw records, which
 * quote nothing; the patches follow in the same order. Where these two do not fit together, no lines are known.
 */
export function parseGitDiff(output: string): FileChange[] {
  return pairsIn(output).map(({ record, patch }) => fileChange(record, patch))
}

/** Each record with its first patch. */
function pairsIn(output: string): { record: RawRecord; patch: string | undefined }[] {
  const { records, patches } = splitOutput(output)
  const isWhole = patches.length === records.reduce((sum, record) => sum + patchCount(record), 0)
  let next = 0
  return records.map((record) => {
    const patch = isWhole && patchCount(record) > 0 ? patches[next] : undefined
    next += patchCount(record)
    return { record, patch }
  })
}

/** The patches of `git diff --raw -z --patch` by path, of files that have exactly one. */
export function patchesIn(output: string): Map<string, string> {
  const found = pairsIn(output).flatMap(({ record, patch }) =>
    patch !== undefined && patchCount(record) === 1 ? [[record.path, patch] as const] : [],
  )
  return new Map(found)
}

/**
 * The paths whose content may be compared by its blob: regular files, whose mode is no change of its own. An added file has the
 * ordinary mode.
 */
export function comparableFiles(output: string): string[] {
  return splitOutput(output).records.flatMap((record) => (isComparable(record) ? record.path : []))
}

function isComparable({ letter, modes: [before, after] }: RawRecord): boolean {
  return /^100(?:644|755)$/.test(after) && after === (letter === 'A' ? '100644' : before)
}

/** Null for a removed file, undefined where git has not stored the content or it is not comparable. */
function blobOf(record: RawRecord): string | null | undefined {
  if (record.letter === 'D') return null
  return isComparable(record) && objectId.test(record.id) && !/^0+$/.test(record.id) ? record.id : undefined
}

function splitOutput(output: string): { records: RawRecord[]; patches: string[] } {
  const records: RawRecord[] = []
  let at = 0
  const field = () => {
    const end = output.indexOf('\0', at)
    const text = output.slice(at, end < 0 ? undefined : end)
    at = end < 0 ? output.length : end + 1
    return text
  }
  while (output[at] === ':') {
    const [before = '', after = '', , id = '', status = ''] = field().slice(1).split(' ')
    const letter = status[0] ?? ''
    const path = field()
    const isPair = letter === 'R' || letter === 'C'
    const record = { modes: [before, after] as const, id, letter }
    records.push(isPair ? { ...record, path: field(), previousPath: path } : { ...record, path, previousPath: null })
  }
  const [, ...patches] = `\n${output.slice(at).replace(/^\0/, '')}`.split('\ndiff --git ')
  return { records, patches: patches.map(withoutRemarks) }
}

/** Between patches git names the unmerged files. */
function withoutRemarks(patch: string): string {
  const end = patch.indexOf('\n* Unmerged path ')
  return end < 0 ? patch : patch.slice(0, end)
}

/** A change of type, as from a file to a link, is shown as a removal and an addition; an unmerged file has no patch. */
function patchCount({ letter }: RawRecord): number {
  return letter === 'T' ? 2 : letter === 'U' ? 0 : 1
}

const statuses: Readonly<Record<string, FileStatus>> = { A: 'added', C: 'added', D: 'removed', R: 'renamed' }

function fileChange(record: RawRecord, patch: string | undefined): FileChange {
  const { letter, path, previousPath } = record
  const status = statuses[letter] ?? 'modified'
  const blob = blobOf(record)
  return {
    path,
    previous_path: status === 'renamed' ? previousPath : null,
    status,
    ...(blob !== undefined && { blob }),
    ...(status === 'added' ? { lines: [[0, 1]] } : patch === undefined ? { lines: null } : linesOf(patch)),
  }
}

/** A patch without hunks changes no line, as a rename or a new mode, unless the file is binary. */
function linesOf(patch: string): ChangedLines {
  const hunks = patch.indexOf('\n@@ ')
  if (hunks >= 0) return changedLines(patch.slice(hunks + 1))
  return /\n(?:Binary files |GIT binary patch)/.test(patch) ? { lines: null } : { lines: [] }
}
