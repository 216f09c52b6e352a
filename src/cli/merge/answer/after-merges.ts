import type { Severity } from '../../../core/enums.ts'
import { notableSeverity, severityRank, worst } from '../../../core/rules/severity.ts'
import { firstStep, othersStep, outsideStep } from '../../../core/texts/next-step.ts'
import { quoted } from '../../../core/texts/quote.ts'
import { type Json, numberField, recordList, textField, textList } from '../../client/json.ts'
import { adviceOf, factsOf, isOnlyAbout, type ReceivedMessage } from '../../client/messages.ts'
import type { MergeReason, MergeResult, TargetResult, TriedMerges } from '../merge-result.ts'
import { describeMerge, describeTarget, describeUntried } from './describe-merges.ts'
import { type JudgedMerge, type ReceivedCandidate, readCandidates, readSeverity } from './read-candidates.ts'
import { severityAfterMerge } from './severity-after-merge.ts'

/** The answer of a check after merges were tried (docs/rules.md#answers-after-merges). */
export interface OverlapAfterMerges {
  overlap: Json
  /** What was tried: these lines are in the answer too. */
  messages: ReceivedMessage[]
  /** Whether work collides that was not tried clean, or a notable matches. */
  isOverlap: boolean
  tried: readonly JudgedMerge[]
  /** How many have a head that could be tried, and are beyond the limit. */
  cut: number
}

/** Each line about a merge begins with `when`, which says how old the fetched heads are: `Tried now`. */
export function afterMerges(overlap: Json, { target, results }: TriedMerges, when: string): OverlapAfterMerges {
  const byId = new Map(results.map((result) => [result.activity_id, result]))
  const judged = readCandidates(overlap).flatMap((received) => {
    const result = byId.get(received.candidate.activity_id)
    return result ? judge(received, result) : []
  })
  const related = textList(overlap, 'related_activity_ids')
  const found = judged.filter(({ received, severity }) => received.known.severity === null && severity !== null)
  const ids = [...related, ...found.map(idOf)]
  const judgedById = new Map(judged.map((one) => [idOf(one), one]))
  const open = ids.filter((id) => !isHarmless(judgedById.get(id)))
  const hasNotable = textList(overlap, 'related_notable_ids').length > 0
  const merges = target.merge !== 'conflicts'
  const others = textList(overlap, 'obstacles').filter((obstacle) => obstacle !== 'collision')
  const isClear = open.length === 0 && others.length === 0 && merges && (related.length > 0 || overlap.clear === true)
  const cut = Math.max(0, (numberField(overlap, 'candidates_total') ?? 0) - judged.length)
  const isCut = cut > 0
  const collisions = [
    ...recordList(overlap, 'collisions').map((item) => itemAfter(item, judgedById, isCut)),
    ...found.map((one) => itemAfter(one.received.item, judgedById, isCut)),
  ]
  const next = adviceAfter(overlap, { collisions, isClear, target, judgedById })
  const said = messagesOf({ target, judged, isCut, when })
  return {
    messages: said,
    tried: judged,
    cut,
    isOverlap: hasNotable || open.some((id) => judgedById.get(id)?.text !== 'merges'),
    overlap: {
      ...overlap,
      overlap_detected: overlap.overlap_detected === true || found.length > 0,
      clear: isClear,
      obstacles: open.length > 0 ? ['collision', ...others] : others,
      severity: severityOf(overlap, ids, judgedById),
      related_activity_ids: ids,
      nearby_activity_ids: textList(overlap, 'nearby_activity_ids').filter((id) => !ids.includes(id)),
      nearby_count: Math.max(0, (numberField(overlap, 'nearby_count') ?? 0) - found.length),
      collisions,
      target,
      messages: [...factsOf(overlap), ...said, ...(next ?? adviceOf(overlap))],
      ...(next && { recommended_action: next.map(({ text }) => text).join('\n') }),
    },
  }
}

interface Said {
  target: TargetResult
  judged: readonly JudgedMerge[]
  isCut: boolean
  when: string
}

/** At most so many ids are named with a line. */
const mostIds = 5

function messagesOf({ target, judged, isCut, when }: Said): ReceivedMessage[] {
  const line = (ids: string[]) => (text: string) => ({ kind: 'merge', ids: ids.slice(0, mostIds), text })
  const untried = judged.filter(({ result }) => result.merge === 'not_tried')
  return [
    ...describeTarget(target, when).map(line([])),
    ...judged.flatMap((one) => describeMerge(one, when).map(line([idOf(one)]))),
    ...describeUntried(untried, isCut).map(line(untried.map(idOf))),
  ]
}

function judge(received: ReceivedCandidate, result: MergeResult): JudgedMerge {
  return { received, result, ...severityAfterMerge(received.known, result) }
}

function idOf({ result }: JudgedMerge): string {
  return result.activity_id
}

/** Whether a merge shows that nothing is left of a collision: lines alone made it, and all of them were tried. */
function isHarmless(judged: JudgedMerge | undefined): boolean {
  const known = judged?.received.known
  return judged?.text === 'merges' && known?.withoutLines === null && !known.isGrave
}

/** Without the result of a merge, a collision keeps its severity; and where some are not known, so does the answer. */
function severityOf(overlap: Json, ids: readonly string[], judged: ReadonlyMap<string, JudgedMerge>): Severity | null {
  const listed = new Map(recordList(overlap, 'collisions').map((item) => [idIn(item), item]))
  const ofNotables = recordList(overlap, 'notables')
    .filter(({ id }) => textList(overlap, 'related_notable_ids').includes(String(id)))
    .map(({ blocking, importance }) => notableSeverity({ blocking: blocking === true, importance: String(importance) }))
  const before = readSeverity(overlap.severity)
  const ofWork = ids.map((id) => judged.get(id)?.severity ?? readSeverity(listed.get(id)?.severity) ?? before)
  return worst([...ofNotables, ...ofWork])
}

function itemAfter(item: Json, judgedById: ReadonlyMap<string, JudgedMerge>, isCut: boolean): Json {
  const judged = judgedById.get(idIn(item))
  const by_lines = judged ? judged.received.known.severity : (item.severity ?? null)
  const reason: MergeReason = isCut ? 'too_many' : 'not_pushed'
  const { files: _, ...shown } = item
  if (!judged) return { ...shown, merge: 'not_tried', merge_reason: reason, severity_by_lines: by_lines }
  const { merge, merge_paths, merge_paths_total, merge_types, merge_reason } = judged.result
  const paths = merge === 'conflicts' && { merge_paths, merge_paths_total, merge_types }
  return {
    ...shown,
    severity: judged.severity,
    merge,
    ...paths,
    ...(merge_reason !== null && { merge_reason }),
    severity_by_lines: by_lines,
  }
}

interface Outcome {
  /** The collisions of the answer, after the merges. */
  collisions: readonly Json[]
  isClear: boolean
  target: TargetResult
  judgedById: ReadonlyMap<string, JudgedMerge>
}

/** The advice where the merges say another one than the service; undefined where they do not. */
function adviceAfter(
  overlap: Json,
  { collisions, isClear, target, judgedById }: Outcome,
): ReceivedMessage[] | undefined {
  const advice = (text: string, ids: readonly string[] = []) => ({ kind: 'advice', ids, text })
  const tried = [...judgedById.values()]
  const clean = tried.filter(({ result }) => result.merge === 'clean')
  if (isClear && clean.length > 0) return [advice(`No conflict: tried with ${worksOf(clean)}. Go ahead.`)]
  if (target.merge === 'conflicts') return [advice('Merge the target branch into your work first.')]
  if (tried.every(({ received, severity }) => severity === received.known.severity)) return undefined
  const [first, ...others] = worstFirst(collisions)
  if (!first || first.same_change === true) return undefined
  const ids = new Set(collisions.map(idIn))
  const isOnCollision = (line: ReceivedMessage) => line.ids.some((id) => ids.has(id))
  const byLines = adviceOf(overlap).find(isOnCollision)
  if (byLines && isOnlyAbout(byLines, [idIn(first)]) && first.severity === first.severity_by_lines) return undefined
  // Where it was clear by lines, the advice was to go ahead.
  const left = overlap.clear === true ? [] : adviceOf(overlap).filter((line) => !isOnCollision(line))
  const members = others.filter(({ outside }) => outside !== true)
  return [
    advice(stepOf(first, judgedById.get(idIn(first)), collisions.length), [idIn(first)]),
    ...(members.length > 0 ? [advice(othersStep(members.length), members.slice(0, mostIds).map(idIn))] : []),
    ...left,
  ]
}

function worksOf(tried: readonly JudgedMerge[]): string {
  const count = tried.length
  const isPull = tried.every(({ received }) => received.candidate.number !== null)
  const [one, many] = isPull
    ? ['pull request', 'pull requests']
    : ['piece of work of others', 'pieces of work of others']
  return `${count} ${count === 1 ? one : many}`
}

function idIn(item: Json): string {
  return textField(item, 'activity_id') ?? ''
}

/** Members come before strangers, whom nobody waits for. */
function worstFirst(collisions: readonly Json[]): Json[] {
  const isOutside = ({ outside }: Json) => Number(outside === true)
  const rank = ({ severity }: Json) => severityRank(readSeverity(severity))
  return collisions.toSorted((a, b) => isOutside(a) - isOutside(b) || rank(b) - rank(a))
}

/** What to do about the worst collision. */
function stepOf(item: Json, judged: JudgedMerge | undefined, count: number): string {
  const number = judged?.received.candidate.number ?? null
  const name = number === null ? '' : `#${number}`
  if (item.own === true) return `Finish your own ${name || 'other work'} first.`
  const actor = quoted(textField(item, 'actor') ?? '')
  const whose = name ? `${actor} (${name})` : actor
  return item.outside === true
    ? outsideStep(whose, count)
    : `${firstStep(whose, readSeverity(item.severity) ?? 'low')}.`
}
