import type { LineRange } from '../../../core/changes/file-change.ts'
import { closestSpans, joinedSpans, rangeOf, type Span } from '../../../core/changes/spans.ts'
import { newFileBelow } from '../../../core/texts/new-file.ts'
import { quoted, quotedPath } from '../../../core/texts/quote.ts'
import { textField } from '../../client/json.ts'
import { plain } from '../../output/plain-text.ts'
import type { Conflict, MergeReason, MergeResult, TargetResult } from '../merge-result.ts'
import type { JudgedMerge } from './read-candidates.ts'

const shownPaths = 3

/** The line about one merge; none where it says no more than the changed lines do. The line begins with `when`: `Tried now`. */
export function describeMerge({ received, result, text }: JudgedMerge, when: string): string[] {
  const { number, branch } = received.candidate
  const who = number !== null ? `#${number}` : `the branch ${quoted(branch ?? '')}`
  const [first] = result.conflicts
  const path = first ? nameOf(first) : ''
  switch (text) {
    case 'conflict': {
      const isKnown = result.has_known_lines && first?.path === textField(received.item, 'example_path')
      const lines = isKnown ? linesOf(received.item.lines, received.item.their_lines) : ''
      const newer = result.has_known_lines ? '' : ' Its newest head was tried.'
      return [`${when}: your work and ${who} do not merge. Conflict in ${conflictList(result)}${lines}.${newer}`]
    }
    case 'removal':
      return [
        first?.removed_by === 'you'
          ? `${when}: you remove ${path}, which ${who} changes.`
          : `${when}: ${who} removes ${path}, which you change.`,
      ]
    case 'binary':
      return [`${when}: you and ${who} both change ${path}, which cannot be merged.`]
    case 'ignored_conflict':
      return [`${when}: ${who} merges with your work but for ${conflictList(result)}.`]
    case 'merges':
      return [`${when}: your work and ${who} merge.`]
    case 'pushed_part_merges':
      return [`${when}: the pushed part of ${who} merges; lines that are not pushed yet touch yours.`]
    default:
      return []
  }
}

export function describeTarget({ branch, merge, paths }: TargetResult, when: string): string[] {
  if (merge !== 'conflicts') return []
  return [
    `${when}: your work no longer merges into ${quoted(branch)} (${listOf(
      paths.slice(0, shownPaths).map((path) => quotedPath(plain(path))),
      paths.length,
    )}).`,
  ]
}

export const reasons: Readonly<Record<Exclude<MergeReason, 'off'>, string>> = {
  network: 'the server of git does not answer',
  access: 'the token may not read the contents there',
  no_remote: 'no remote is that repository',
  time: 'there was not enough time',
  shallow: 'this clone is shallow',
  partial: 'this clone lacks some objects',
  git_version: 'this git is too old for it',
  platform: 'not on this system yet',
  head_gone: 'the head is gone',
  not_pushed: 'nothing is pushed',
  filter: 'files with a filter are not tried',
  too_many: 'there are too many',
  too_large: 'something is too large',
  in_progress: 'a merge or rebase has not finished here',
  target: 'one side does not merge into the target branch',
  file_kind: 'links, submodules and binary files are not tried',
  no_commit: 'there is no commit here',
  not_fetched: 'nothing of it is fetched here yet',
  head_moved: 'it was pushed since it was fetched',
  unknown_edit: 'what the edit makes of the file is not known',
  not_on_both_sides: 'files that one side adds, removes or renames are not tried here',
  failed: 'git failed',
}

/** One line for all that could not be tried. Nothing where the user has switched it off. */
export function describeUntried(untried: readonly JudgedMerge[], isCut: boolean): string[] {
  const found = new Set(untried.flatMap(({ result }) => result.merge_reason ?? []))
  if (found.has('off')) return []
  const texts = [...found].flatMap((reason) => (reason === 'off' ? [] : reasons[reason]))
  if (isCut) texts.push('only the 20 closest are tried')
  if (texts.length === 0) return []
  const names = untried.flatMap(({ received: { candidate } }) =>
    candidate.number !== null ? `#${candidate.number}` : quoted(candidate.branch ?? ''),
  )
  const who = names.length === 0 ? 'others' : names.join(', ')
  return [`Not tried, so by lines alone: ${who} (${texts.join('; ')}).`]
}

function conflictList({ conflicts }: MergeResult): string {
  return listOf(conflicts.slice(0, shownPaths).map(nameOf), conflicts.length)
}

function nameOf({ path, unnamed }: Conflict): string {
  return unnamed ? newFileBelow(unnamed.below) : quotedPath(plain(path))
}

function listOf(shown: readonly string[], total: number): string {
  const more = total - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The changed lines of both that are closest to each other: the conflict is there. */
function linesOf(ours: unknown, theirs: unknown): string {
  const closest = closestSpans(spansOf(ours), spansOf(theirs))
  if (closest === null) return ''
  const textOf = (span: Span) => [...new Set(rangeOf(span))].join('–')
  const [a, b] = [textOf(closest.a), textOf(closest.b)]
  return ` (your ${a.includes('–') ? 'lines' : 'line'} ${a}, theirs ${b})`
}

function spansOf(ranges: unknown): Span[] {
  if (!Array.isArray(ranges)) return []
  const lines = ranges.flatMap((range: unknown): LineRange[] =>
    Array.isArray(range) ? [[Number(range[0]), Number(range[1])]] : [],
  )
  return joinedSpans({ lines, inserts: undefined })
}
