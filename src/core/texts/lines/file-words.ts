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
      return wholeFileWords(file, proposer)
    case 'unknown lines':
      return `${changing(file, path)}, which ${does('change')} too`
    default:
      if (proposer.name !== null) return `${changing(file, path)}, which ${does('name')}`
      return `${changing(file, path)}${known(file) ? ': stay clear of them' : ''}`
  }
}

function changing(file: FileOverlap, path: string): string {
  const { theirChange, path: name } = file
  if (!known(file)) return `${doing(theirChange, name)} ${path}`
  const lines = shownLines(theirChange)
  return theirChange.status === 'renamed'
    ? `renaming ${path} and changing ${lines} of it`
    : `changing ${lines} of ${path}`
}

/** One of the two adds, removes or renames the file. */
function wholeFileWords(file: FileOverlap, proposer: Proposer): string {
  const { theirChange } = file
  const [path, also] = [fileName(file), alsoDone(file, proposer)]
  if (theirChange.status !== 'renamed' || !known(file)) return `${changing(file, path)}${also}`
  return `renaming ${path}${also}, and changing ${shownLines(theirChange)} of it`
}

/** The file, with the lines that the other work changes where they are known. */
export function theirPlace(file: FileOverlap): string {
  return known(file) ? `${shownLines(file.theirChange)} of ${fileName(file)}` : fileName(file)
}

/** Whether to name the changed lines: those of a file that is there before and after. Those of a renamed one are of its old name. */
function known({ theirChange: { status, lines, path }, path: name }: FileOverlap): boolean {
  const isThere = status === 'modified' || (status === 'renamed' && path !== name)
  return isThere && lines !== null && lines.length > 0
}

const doingByStatus = { added: 'adding', removed: 'removing', modified: 'changing' } as const

type Doing = (typeof doingByStatus)[keyof typeof doingByStatus] | 'renaming' | 'renaming another file to'

function doing({ status, path: newPath }: FileChange, path: string): Doing {
  if (status === 'renamed') return newPath === path ? 'renaming another file to' : 'renaming'
  return doingByStatus[status]
}

function alsoDone({ change, theirChange, path }: FileOverlap, { does }: Proposer): string {
  if (change === null) return ''
  const [ours, theirs] = [doing(change, path), doing(theirChange, path)]
  if (ours === theirs) return ours === 'renaming' ? `, which ${does('rename')} to another name` : `, as ${does('do')}`
  if (ours === 'renaming another file to') return `, to which ${does('rename')} another file`
  return `, which ${does({ adding: 'add', removing: 'remove', changing: 'change', renaming: 'rename' }[ours])}`
}

/** The changed lines of a file, such as `lines 12–20, 31 and 2 more`. */
export function shownLines(change: FileChange): string {
  return lineList(joinedSpans(change).map(rangeOf))
}

/** The lines of one range; empty where they are not known. */
export function shownRange(range: LineRange | null): string {
  return range === null ? '' : lineList([range])
}
