import type { ChangedLines, FileChange } from '../file-change.ts'
import { linesOfSpans } from '../spans.ts'
import { type Edit, locateEdit } from './edit.ts'
import { type Hunk, withSpans } from './hunks.ts'

/** A file of the work tree before an edit. */
export interface PresentFile {
  exists: boolean
  /** Null where it can not be read as text. */
  text: string | null
  /** Its difference to the merge base; null where that is not known. */
  hunks: readonly Hunk[] | null
}

/**
 * The change of a file after an edit: its changes so far (`known`) and the lines of the edit, on the side of the merge
 * base. Where the edit can not be located, its lines are not known, but those of earlier changes still are.
 */
export function editedFile(path: string, known: FileChange | undefined, edit: Edit, present: PresentFile): FileChange {
  if (known?.status === 'added') return known
  if (!present.exists) return known ? { ...known, status: 'modified' } : added(path)
  const changed = editedLines(known, edit, present)
  if (known?.status === 'renamed') return { ...known, ...changed }
  return { path, previous_path: null, status: edit.kind === 'remove' ? 'removed' : 'modified', ...changed }
}

function editedLines(known: FileChange | undefined, edit: Edit, { text, hunks }: PresentFile): ChangedLines {
  const spans = text === null ? null : locateEdit(edit, text)
  const isComparable = known === undefined || known.lines !== null
  return spans && hunks && isComparable
    ? linesOfSpans(withSpans(hunks, spans))
    : { lines: known?.lines ?? null, inserts: known?.inserts }
}

/** The same change under a new name. */
export function movedFile(path: string, edited: FileChange): FileChange {
  if (edited.status === 'added') return { ...edited, path }
  return { ...edited, path, previous_path: edited.previous_path ?? edited.path, status: 'renamed' }
}

function added(path: string): FileChange {
  return { path, previous_path: null, status: 'added', lines: [[0, 1]] }
}
