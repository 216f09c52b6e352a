import { severities } from '../../core/enums.ts'
import { introduction } from '../../core/texts/quote.ts'
import { type Json, record, recordList, textField, textList } from '../client/json.ts'
import {
  adviceOf,
  factsOf,
  isOnlyAbout,
  messagesOf,
  type ReceivedMessage,
  relatedIds,
  withIds,
  withoutIds,
} from '../client/messages.ts'
import { describeUnread } from '../client/observed-state.ts'
import { checkParent, type ParentOverlap, parentHeading } from '../client/work/check-parent.ts'
import type { SavedWork } from '../client/work/work-state-file.ts'
import type { CommandContext } from '../command-context.ts'
import { requestCheck } from '../commands/check.ts'
import { isSwitchedOffIn } from '../merge/switched-off.ts'
import { formatRelativeTime, plain } from '../output/plain-text.ts'

/** The overlap of a proposal, by a check. */
export async function findOverlap(
  context: CommandContext,
  body: object,
  work: SavedWork | undefined,
  merges: HookMerges = {},
): Promise<Json | undefined> {
  return overlapIn(context, await requestCheck(context, body, work?.id), { proposal: { body, work }, merges })
}

interface HookAnswer {
  /** What is checked in the parent of a fork too; without it, the parent is not asked. */
  proposal?: { body: object; work: SavedWork | undefined }
  merges: HookMerges
}

/**
 * The response of the service, after the merges that can be tried without the server, with what was found in the parent of a
 * fork; undefined where there is no overlap then.
 */
export async function overlapIn(
  context: CommandContext,
  overlap: Json,
  { proposal, merges }: HookAnswer,
): Promise<Json | undefined> {
  const [tried, parent] = await Promise.all([
    withMerges(context, overlap, merges),
    proposal && checkParent(context, overlap, proposal.body, proposal.work),
  ])
  const all = withParent(tried, parent)
  return all.overlap_detected === true ? all : undefined
}

export interface HookMerges {
  /** What files will be after an edit. */
  planned?: () => Promise<ReadonlyMap<string, string | null>>
  /** Whether another process may fetch the heads of others for later hooks. */
  fetches?: boolean
}

/** The answer after its candidates are tried with what is kept of them (docs/rules.md#answers-after-merges). */
export async function withMerges(
  context: CommandContext,
  overlap: Json,
  { planned, fetches = false }: HookMerges,
): Promise<Json> {
  if (recordList(overlap, 'candidates').length === 0 || isSwitchedOffIn(context.config)) return overlap
  // Loaded here, since most hooks try no merge.
  const { afterKept } = await import('../merge/kept/after-kept.ts')
  return afterKept(context, overlap, { planned: (await planned?.()) ?? new Map(), fetches })
}

/** One response for both repositories: that of this repository where the parent has no overlap. */
export function withParent(overlap: Json, parent: ParentOverlap | undefined): Json {
  if (!parent) return overlap
  const reuse = [parent.overlap, overlap].flatMap((one) => recordList(one, 'reuse_opportunities'))
  return { ...withParentsOverlap(overlap, parent), ...(reuse.length > 0 && { reuse_opportunities: reuse }) }
}

function withParentsOverlap(overlap: Json, parent: ParentOverlap): Json {
  if (parent.overlap.overlap_detected !== true) return overlap
  const heading = { kind: 'collision', ids: [], text: parentHeading(parent) }
  const ofParent = [heading, ...messagesOf(parent.overlap)]
  if (overlap.overlap_detected !== true) return { ...parent.overlap, messages: ofParent }
  const related = (key: string) => [...textList(overlap, key), ...textList(parent.overlap, key)]
  return {
    ...overlap,
    severity: severities.findLast((word) => word === overlap.severity || word === parent.overlap.severity) ?? null,
    messages: [...messagesOf(overlap), ...ofParent.filter(({ kind }) => kind !== 'advice')],
    related_activity_ids: related('related_activity_ids'),
    related_notable_ids: related('related_notable_ids'),
    notables: [...recordList(overlap, 'notables'), ...recordList(parent.overlap, 'notables')],
  }
}

/**
 * The overlap for a model: who, where and how severe, with ids. The advice of the service is not in it, since models take orders in
 * their context for an attack. What was shown before is left out.
 */
export function overlapFacts(
  overlap: Json | undefined,
  shown: readonly string[] = [],
  lineOf: (message: ReceivedMessage) => string = withIds,
): string[] {
  if (overlap?.overlap_detected !== true) return []
  const related = relatedIds(overlap)
  const isLeftOut = related.some((id) => shown.includes(id))
  if (isLeftOut && related.every((id) => shown.includes(id))) return []
  const lines = factsOf(overlap).filter((message) => !isOnlyAbout(message, shown))
  // Others may only be counted in a line that was shown before.
  if (lines.length === 0) return []
  // The severity is the highest of all lines, so it may belong to a line that is left out.
  const severity = isLeftOut ? '' : `, ${plain(textField(overlap, 'severity') ?? 'low')} severity`
  return [`Headsup${severity}. ${introduction}:`, ...lines.map(lineOf)]
}

/**
 * Which open pull requests and pushed branches a check without an overlap has not read (docs/rules.md#observed-state).
 */
export function unknownFacts(overlap: Json, now: number): string[] {
  const observed = record(overlap, 'observed')
  const unread = describeUnread(observed)
  const asOf = textField(observed, 'as_of')
  const texts: Readonly<Record<string, string>> = {
    reading: 'Open pull requests are being read, so collisions with them are not known yet.',
    unavailable: 'This token may not read pull requests, so collisions with them are not known.',
    stale: `Open pull requests are known as they were ${asOf === undefined ? 'before' : formatRelativeTime(asOf, now)}.`,
  }
  const state = texts[textField(observed, 'pull_requests') ?? '']
  if (state !== undefined) return [state]
  return unread === undefined ? [] : [`The files of ${unread} are not read yet.`]
}

/**
 * The overlap for a person: the facts, and what to do next. Collisions that were shown before are left out, and then
 * the advice too, since it may be about them.
 */
export function overlapAdvice(overlap: Json | undefined, told: readonly string[] = []): string[] {
  const facts = overlapFacts(overlap, told, withoutIds)
  if (facts.length === 0 || !overlap) return []
  const isAllNew = !relatedIds(overlap).some((id) => told.includes(id))
  return isAllNew ? [...facts, 'What to do next:', ...adviceOf(overlap).map(withoutIds)] : facts
}
