import type { ChangedFile } from './changed-file.ts'
import { linesOfPatch } from './patch.ts'
import { newFile } from './spans.ts'

interface RawRecord {
  letter: string
  path: string
  previousPath: string | null
}

/**
 * The changes that `git diff --raw -z --patch -M` prints, with any amount of context. Names come from the raw records, which quote
 * nothing; the patches follow in the same order. Where these two do not fit together, no lines are known.
 */
export function changesOfGitDiff(output: string): ChangedFile[] {
  const { records, patches } = split(output)
  const isWhole = patches.length === records.reduce((sum, { letter }) => sum + patchCount(letter), 0)
  let next = 0
  return records.map((record) => {
    const patch = isWhole ? patches[next] : undefined
    next += patchCount(record.letter)
    return changedFile(record, patch)
  })
}

/** A change of type, as from a file to a link, is shown as a removal and an addition; an unmerged file has no patch. */
function patchCount(letter: string): number {
  return letter === 'T' ? 2 : letter === 'U' ? 0 : 1
}

function split(output: string): { records: RawRecord[]; patches: string[] } {
  const records: RawRecord[] = []
  let at = 0
  const field = () => {
    const end = output.indexOf('\0', at)
    const text = output.slice(at, end < 0 ? undefined : end)
    at = end < 0 ? output.length : end + 1
    return text
  }
  while (output[at] === ':') {
    const letter = field().split(' ').at(-1)?.[0] ?? ''
    const path = field()
    const isPair = letter === 'R' || letter === 'C'
    records.push(isPair ? { letter, path: field(), previousPath: path } : { letter, path, previousPath: null })
  }
  // Each line of content has a sign before it, so this stands at the beginning of a patch alone.
  const [, ...patches] = `\n${output.slice(at).replace(/^\0/, '')}`.split('\ndiff --git ')
  return { records, patches: patches.map(withoutRemarks) }
}

/** Between patches git names the unmerged files. */
function withoutRemarks(patch: string): string {
  const end = patch.indexOf('\n* Unmerged path ')
  return end < 0 ? patch : patch.slice(0, end)
}

const statuses: Readonly<Record<string, ChangedFile['status']>> = {
  A: 'added',
  C: 'added',
  D: 'removed',
  R: 'renamed',
}

function changedFile({ letter, path, previousPath }: RawRecord, patch: string | undefined): ChangedFile {
  const status = statuses[letter] ?? 'modified'
  const previous_path = status === 'renamed' ? previousPath : null
  return { path, previous_path, status, lines: linesOf(letter, status, patch) }
}

function linesOf(letter: string, status: ChangedFile['status'], patch: string | undefined): number[][] | null {
  if (status === 'added') return newFile
  if (letter === 'U' || patch === undefined) return null
  // A file that became a link.
  if (letter === 'T') return []
  const hunks = patch.indexOf('\n@@ ')
  if (hunks >= 0) return linesOfPatch(patch.slice(hunks + 1))
  // Binary, or of another mode.
  return status === 'modified' ? [] : null
}
