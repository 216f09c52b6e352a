import { severities } from '../../enums.ts'
import { introduction } from '../../overlap/quote.ts'
import { checkParent, type ParentOverlap, parentHeading } from '../client/check-parent.ts'
import { type Json, record, textField, textList } from '../client/json.ts'
import { describeUnread } from '../client/observed-state.ts'
import type { SavedWork } from '../client/work-state-file.ts'
import type { CommandContext } from '../command-context.ts'
import { requestCheck } from '../commands/check.ts'
import { formatRelativeTime, plain, plainLines } from '../output/plain-text.ts'
import { linesForPeople } from '../output/text-for-people.ts'

/** The response of a check, with what was found in the parent of a fork; undefined where there is no overlap. */
export async function findOverlap(
  context: CommandContext,
  body: object,
  work: SavedWork | undefined,
): Promise<Json | undefined> {
  const overlap = await requestCheck(context, body, work?.id)
  const all = withParent(overlap, await checkParent(context, overlap, body))
  return all.overlap_detected === true ? all : undefined
}

/** One response for both repositories: that of this repository where the parent has no overlap. */
export function withParent(overlap: Json, parent: ParentOverlap | undefined): Json {
  if (parent?.overlap.overlap_detected !== true) return overlap
  const reason = [parentHeading(parent), textField(parent.overlap, 'reason') ?? ''].join('\n')
  if (overlap.overlap_detected !== true) return { ...parent.overlap, reason }
  const related = (key: string) => [...textList(overlap, key), ...textList(parent.overlap, key)]
  return {
    ...overlap,
    severity: severities.findLast((word) => word === overlap.severity || word === parent.overlap.severity) ?? null,
    reason: `${textField(overlap, 'reason') ?? ''}\n${reason}`,
    related_activity_ids: related('related_activity_ids'),
    related_notable_ids: related('related_notable_ids'),
  }
}

/**
 * The overlap for a model: who, where and how severe. There is no advice, since models take orders in their context for
 * an attack. Notables that were shown before are left out.
 */
export function overlapFacts(overlap: Json | undefined, shown: readonly string[] = []): string[] {
  if (overlap?.overlap_detected !== true) return []
  const related = relatedIds(overlap)
  const isLeftOut = related.some((id) => shown.includes(id))
  if (isLeftOut && related.every((id) => shown.includes(id))) return []
  const lines = plainLines(textField(overlap, 'reason') ?? '').filter((line) => !shown.some((id) => mentions(line, id)))
  // Others may only be counted in a line that was shown before.
  if (lines.length === 0) return []
  // The severity is the highest of all lines, so it may belong to a line that is left out.
  const severity = isLeftOut ? '' : `, ${plain(textField(overlap, 'severity') ?? 'low')} severity`
  return [`Headsup${severity}. ${introduction}:`, ...lines]
}

/**
 * Which open pull requests and pushed branches a check without an overlap has not read (docs/rules.md#observed-state).
 */
export function unknownFacts(overlap: Json, now: number): string[] {
  const observed = record(overlap, 'observed')
  const unread = describeUnread(observed)
  const asOf = textField(observed, 'as_of')
  const texts: Readonly<Record<string, string>> = {
    reading: 'open pull requests are being read, so collisions with them are not known yet.',
    unavailable: 'this token may not read pull requests, so collisions with them are not known.',
    stale: `open pull requests are known as they were ${asOf === undefined ? 'before' : formatRelativeTime(asOf, now)}.`,
  }
  const state = texts[textField(observed, 'pull_requests') ?? '']
  if (state !== undefined) return [`Headsup: ${state}`]
  return unread === undefined ? [] : [`Headsup: the files of ${unread} are not read yet.`]
}

/** Whether a line of a reason is about this record. Quoted text of other people does not count. */
function mentions(line: string, id: string): boolean {
  return withoutQuotes(line).includes(id)
}

function withoutQuotes(line: string): string {
  return line.replace(/“[^”]*”/g, '')
}

/**
 * The overlap for a person: the facts, and what to do next. Collisions that were shown before are left out, and then
 * the advice too, since it may be about them.
 */
export function overlapAdvice(overlap: Json | undefined, told: readonly string[] = []): string[] {
  const facts = overlapFacts(overlap, told)
  if (facts.length === 0 || !overlap) return []
  const isAllNew = !relatedIds(overlap).some((id) => told.includes(id))
  const advice = isAllNew ? ['What to do next:', textField(overlap, 'recommended_action') ?? ''] : []
  return linesForPeople([...facts, ...advice].join('\n'))
}

/** The notables of an overlap about some place. One about the whole repository, such as a freeze, is not among them. */
export function notablesOfPlaces(overlap: Json): string[] {
  const lines = plainLines(textField(overlap, 'reason') ?? '').map(withoutQuotes)
  return textList(overlap, 'related_notable_ids').filter((id) =>
    lines.some((line) => line.includes(id) && !line.includes('about the whole repository')),
  )
}

function relatedIds(overlap: Json): string[] {
  return [...textList(overlap, 'related_activity_ids'), ...textList(overlap, 'related_notable_ids')]
}
