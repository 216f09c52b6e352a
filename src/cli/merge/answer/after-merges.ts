import { orderFields } from '../../../core/rules/order/list-order.ts'
import { outcomeOf } from '../../../core/rules/outcome.ts'
import { mostDescribed } from '../../../core/rules/response/id-limits.ts'
import { severityAfterMerge } from '../../../core/rules/severity-after-merge.ts'
import { type Json, numberField, record, recordList, textList } from '../../client/json.ts'
import { factsOf, type ReceivedMessage } from '../../client/messages.ts'
import type { MergeReason, MergeResult, TargetResult, TriedMerges } from '../merge-result.ts'
import { adviceAfter } from './advice-after.ts'
import { describeMerge, describeTarget, describeUntried } from './describe-merges.ts'
import { type JudgedMerge, type ReceivedCandidate, readCandidates } from './read-candidates.ts'
import { readNotables, readObstacles, worksAfter } from './read-facts.ts'

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

/**
 * The answer by the rules of the service, with the results of merges. Each line about a merge begins with `when`, which says how
 * old the fetched heads are: `Tried now`.
 */
export function afterMerges(overlap: Json, { target, results }: TriedMerges, when: string): OverlapAfterMerges {
  const byId = new Map(results.map((result) => [result.activity_id, result]))
  const judged = readCandidates(overlap).flatMap((received) => {
    const result = byId.get(received.candidate.activity_id)
    return result ? judge(received, result) : []
  })
  const judgedById = new Map(judged.map((one) => [one.result.activity_id, one]))
  const lines = new Map(judged.map((one) => [one, describeMerge(one, when)]))
  const works = worksAfter(overlap, judgedById)
  const ids = works.map(({ id }) => id)
  const notables = readNotables(overlap)
  const outcome = outcomeOf({ works, notables, others: readObstacles(overlap) })
  const cut = Math.max(0, (numberField(overlap, 'candidates_total') ?? 0) - judged.length)
  const said = linesAbout({ target, lines, isCut: cut > 0, when })
  const merges = target.merge !== 'conflicts'
  const clear = outcome.clear && merges
  const next = adviceAfter(overlap, { works, notables, target, clear, judged })
  const byLines = new Map(recordList(overlap, 'collisions').map((item) => [item.activity_id, item]))
  const items = works.flatMap(({ id }) => {
    const one = judgedById.get(id)
    const item = byLines.get(id) ?? (one && lines.get(one)?.length ? one.received.item : undefined)
    return item ? itemAfter(item, one, cut > 0) : []
  })
  const found = ids.filter((id) => judgedById.get(id)?.received.known.severity === null)
  return {
    messages: said,
    tried: judged,
    cut,
    isOverlap:
      notables.length > 0 || works.some(({ id, isHarmless }) => !isHarmless && judgedById.get(id)?.text !== 'merges'),
    overlap: {
      ...overlap,
      ...outcome,
      clear,
      obstacles: merges ? outcome.obstacles : [...outcome.obstacles, 'target'],
      related_activity_ids: ids,
      related_order: works.map(orderFields),
      relationships: {
        ...record(overlap, 'relationships'),
        ...Object.fromEntries(found.map((id) => [id, 'collision'])),
      },
      nearby_activity_ids: textList(overlap, 'nearby_activity_ids').filter((id) => !found.includes(id)),
      nearby_count: Math.max(0, (numberField(overlap, 'nearby_count') ?? 0) - found.length),
      collisions: items,
      candidates: recordList(overlap, 'candidates').map(withoutFiles),
      target,
      messages: [...factsOf(overlap), ...said, ...next],
      recommended_action: next.map(({ text }) => text).join('\n'),
    },
  }
}

interface Said {
  target: TargetResult
  /** What each judged merge says. */
  lines: ReadonlyMap<JudgedMerge, readonly string[]>
  isCut: boolean
  when: string
}

function linesAbout({ target, lines, isCut, when }: Said): ReceivedMessage[] {
  const line = (ids: string[]) => (text: string) => ({ kind: 'merge', ids: ids.slice(0, mostDescribed), text })
  const untried = [...lines.keys()].filter(({ result }) => result.merge === 'not_tried')
  const idsOf = (some: readonly JudgedMerge[]) => some.map(({ result }) => result.activity_id)
  return [
    ...describeTarget(target, when).map(line([])),
    ...[...lines].flatMap(([one, texts]) => texts.map(line(idsOf([one])))),
    ...describeUntried(untried, isCut).map(line(idsOf(untried))),
  ]
}

function judge(received: ReceivedCandidate, result: MergeResult): JudgedMerge {
  return { received, result, ...severityAfterMerge(received.known, result) }
}

/** Among them are names that the head of a stranger alone has. */
function withoutFiles({ files: _, ...item }: Json): Json {
  return item
}

function itemAfter(item: Json, judged: JudgedMerge | undefined, isCut: boolean): Json {
  const shown = withoutFiles(item)
  if (!judged) {
    const merge_reason: MergeReason = isCut ? 'too_many' : 'not_pushed'
    return { ...shown, merge: 'not_tried', merge_reason, severity_by_lines: item.severity ?? null }
  }
  const { merge, merge_paths, merge_paths_total, merge_types, merge_reason } = judged.result
  const paths = merge === 'conflicts' && { merge_paths, merge_paths_total, merge_types }
  return {
    ...shown,
    severity: judged.severity,
    merge,
    ...paths,
    ...(merge_reason !== null && { merge_reason }),
    severity_by_lines: judged.received.known.severity,
  }
}
