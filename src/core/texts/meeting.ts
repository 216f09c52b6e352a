import type { Comparison, Nearness } from '../overlap/comparison.ts'
import type { FileStatus } from '../overlap/files.ts'
import { quoted, quotedPath } from './quote.ts'
import { changeWords, issueList, joined, linesOf } from './words.ts'
import { type Described, shortName } from './work-name.ts'

/** Whom a text speaks to, or of, as the one side of a comparison. */
export interface Side {
  subject: string
  possessive: string
  isReader: boolean
}

export const you: Side = { subject: 'you', possessive: 'your', isReader: true }

export function sideOf(work: Described): Side {
  const name = shortName(work)
  return { subject: name, possessive: `${name}’s`, isReader: false }
}

/** What the other work does that the side does too: the one phrase for it everywhere. `ours` is the side's. */
export function meetingWords(side: Side, comparison: Comparison, isOfStranger: boolean): string {
  const words = wordsOf(side, comparison, mayQuotePath(comparison, isOfStranger))
  const [into, instead] = [comparison.theirs.baseBranch, comparison.ours.baseBranch]
  if (!isNear(comparison, 'base') || into === null || instead === null) return words
  return `${words}, but goes into ${quoted(into)} and not into ${quoted(instead)}`
}

function isNear({ severity, nearness }: Comparison, kind: Nearness): boolean {
  return severity === null && nearness.includes(kind)
}

/** Nothing of a stranger's is quoted: a path is one's own where one changes it, and where it makes an overlap. */
function mayQuotePath({ severity, ours }: Comparison, isOfStranger: boolean): boolean {
  return !isOfStranger || severity !== null || ours.status !== null
}

function wordsOf(side: Side, comparison: Comparison, isQuotable: boolean): string {
  const { by, examplePath, ours, theirs, issues, areas, severity } = comparison
  const too = side.isReader ? 'too' : `as ${side.subject} does`
  const file = examplePath !== null && isQuotable ? quotedPath(examplePath) : null
  switch (by) {
    case 'issue':
      return `works on issue ${issueList(issues)} ${too}${isNear(comparison, 'epic') ? ', as many others do' : ''}`
    case 'area':
      return `works in the area ${joined(areas.map(quoted))} ${too}${file === null ? '' : `, such as ${file}`}`
    case 'globs':
      if (severity === null) return file === null ? 'changes files below these paths' : `changes files such as ${file}`
      return severity === 'high'
        ? `works on ${file ?? 'a file'} ${too}`
        : `works on files such as ${file ?? 'one'} ${too}`
    case 'lines':
      return linesWords(side, comparison, file ?? 'a file')
    case 'file':
      if (isNear(comparison, 'renamed_directory')) return besideRenamed(side, ours.status, file ?? 'a file')
      if (isNear(comparison, 'directory'))
        return `uses ${file ?? 'a path'} as a file where ${verbOf(side, 'use')} it as a directory, or the other way round`
      if (ours.status === null) return `changes ${file ?? 'a file'}, which ${verbOf(side, 'name')}`
      if (theirs.status === null) return `names ${file ?? 'a file'}, which ${verbOf(side, 'change')}`
      return fileWords(side, comparison, file ?? 'a file', too)
  }
}

function linesWords(side: Side, comparison: Comparison, file: string): string {
  const { severity, ours, theirs } = comparison
  const [mine, other] = [ours.spans ?? [], theirs.spans ?? []]
  const relations = { high: 'touching', medium: 'one line away from', low: 'near' }
  // For another base branch, lines that touch are only near too.
  const relation = severity ? relations[severity] : isNear(comparison, 'apart') ? 'apart from' : 'near'
  return `${changeWords(other)} ${file}, ${relation} ${side.possessive} ${linesOf(mine)}`
}

const verbs: Readonly<Record<FileStatus, string>> = {
  added: 'add',
  modified: 'change',
  removed: 'remove',
  renamed: 'rename',
  renamed_from: 'rename',
}

function verbOf({ subject, isReader }: Side, verb: string): string {
  return `${subject} ${verb}${isReader ? '' : 's'}`
}

/** A file that both change, whose lines one does not know. */
function fileWords(side: Side, { ours, theirs, severity }: Comparison, file: string, too: string): string {
  const [mine, other] = [verbs[ours.status ?? 'modified'], verbs[theirs.status ?? 'modified']]
  if (mine !== 'change' || other !== 'change') return `${other}s ${file}, which ${verbOf(side, mine)}`
  const how = severity === 'low' ? ' (not all lines are known)' : ' (as a whole)'
  return `changes ${file} ${too}${how}`
}

function besideRenamed(side: Side, ours: FileStatus | null, file: string): string {
  if (ours === null) return `adds ${file} to a directory that ${verbOf(side, 'rename')}`
  return `renames the directory to which ${verbOf(side, 'add')} ${file}`
}
