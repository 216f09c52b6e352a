import type { FileChange, LineRange } from '../file-change.ts'
import { rangeOf } from '../spans.ts'
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
  const lines = editedLines(known, edit, present)
  if (known?.status === 'renamed') return { ...known, lines }
  return { path, previous_path: null, status: edit.kind === 'remove' ? 'removed' : 'modified', lines }
}

function editedLines(known: FileChange | undefined, edit: Edit, { text, hunks }: PresentFile): LineRange[] | null {
  const spans = text === null ? null : locateEdit(edit, text)
  const earlier = known ? known.lines && [...known.lines] : null
  const isComparable = known === undefined || known.lines !== null
  return spans && hunks && isComparable ? withSpans(hunks, spans).map(rangeOf) : earlier
}

/** The same change under a new name. */
export function movedFile(path: string, edited: FileChange): FileChange {
  if (edited.status === 'added') return { ...edited, path }
  return { ...edited, path, previous_path: edited.previous_path ?? edited.path, status: 'renamed' }
}

function added(path: string): FileChange {
  return { path, previous_path: null, status: 'added', lines: [[0, 1]] }
}
