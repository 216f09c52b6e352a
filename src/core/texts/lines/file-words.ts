import type { FileChange, LineRange } from '../../changes/file-change.ts'
import { joinedSpans, rangeOf } from '../../changes/spans.ts'
import type { FileOverlap } from '../../rules/changed/compare-changes.ts'
import { lineList } from '../line-list.ts'
import { newFileBelow } from '../new-file.ts'
import { quotedPath } from '../quote.ts'

/** How a text names the author of the proposal: as the reader, or by name. */
export interface Proposer {
  /** `your` */
  possessive: string
  /** The subject with the verb: `you change`, `“Ana” changes`. */
  does(verb: string): string
  /** Null for the reader. */
  name: string | null
}

export const reader: Proposer = { possessive: 'your', does: (verb) => `you ${verb}`, name: null }

/** Somebody by their name, in quotation marks. */
export function proposerNamed(name: string): Proposer {
  return { possessive: `${name}’s`, does: (verb) => `${name} ${verb === 'do' ? 'does' : `${verb}s`}`, name }
}

/** The file by its path, or as a new one (docs/rules.md#strangers-words). */
export function fileName({ path, unnamed }: Pick<FileOverlap, 'path' | 'unnamed'>): string {
  return unnamed ? newFileBelow(unnamed.below) : quotedPath(path)
}

/** What the other work changes in a file, and how near that is to the changes of the proposal. */
export function fileWords(file: FileOverlap, proposer: Proposer): string {
  const path = fileName(file)
  const { possessive, does } = proposer
  switch (file.proximity) {
    case 'same lines':
      return `changing ${shownRange(file.theirLines)} of ${path}, touching ${possessive} ${shownRange(file.lines)}`
    case 'close lines':
      return `changing ${shownRange(file.theirLines)} of ${path}, one line from ${possessive} ${shownRange(file.lines)}`
    case 'whole file':
      return `${doing(file.theirChange, file.path)} ${path}${alsoDone(file, proposer)}`
    case 'unknown lines':
      return `${changing(file, path)}, which ${does('change')} too`
    default:
      if (proposer.name !== null) return `${changing(file, path)}, which ${does('name')}`
      return `${changing(file, path)}${known(file.theirChange) ? ': stay clear of them' : ''}`
  }
}

function changing({ theirChange, path: name }: FileOverlap, path: string): string {
  return known(theirChange) ? `changing ${shownLines(theirChange)} of ${path}` : `${doing(theirChange, name)} ${path}`
}

/** The file, with the lines that the other work changes where they are known. */
export function theirPlace(file: FileOverlap): string {
  const { theirChange } = file
  return known(theirChange) ? `${shownLines(theirChange)} of ${fileName(file)}` : fileName(file)
}

/** Whether to name the changed lines: those of a modified file. */
function known({ status, lines }: FileChange): boolean {
  return (status === 'modified' || status === 'renamed') && lines !== null && lines.length > 0
}

function doing({ status, path: newPath }: FileChange, path: string): string {
  if (status === 'renamed') return newPath === path ? 'renaming another file to' : 'renaming'
  return { added: 'adding', removed: 'removing', modified: 'changing' }[status]
}

function alsoDone({ change, theirChange }: FileOverlap, { does }: Proposer): string {
  if (change === null) return ''
  if (change.status === theirChange.status) return `, as ${does('do')}`
  return `, which ${does({ added: 'add', removed: 'remove', modified: 'change', renamed: 'rename' }[change.status])}`
}

/** The changed lines of a file, such as `lines 12–20, 31 and 2 more`. */
export function shownLines(change: FileChange): string {
  return lineList(joinedSpans(change).map(rangeOf))
}

/** The lines of one range; empty where they are not known. */
export function shownRange(range: LineRange | null): string {
  return range === null ? '' : lineList([range])
}
