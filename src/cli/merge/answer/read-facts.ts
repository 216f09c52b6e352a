import { type Importance, importances, type Obstacle, obstacles } from '../../../core/enums.ts'
import type { Collision } from '../../../core/rules/findings.ts'
import { worstFirst } from '../../../core/rules/order/list-order.ts'
import { notableSeverity } from '../../../core/rules/severity.ts'
import type { AdvisedNotable } from '../../../core/texts/advice.ts'
import { type Json, record, recordList, textField, textList } from '../../client/json.ts'
import { type JudgedMerge, readSeverity } from './read-candidates.ts'

/** Work that collides, after its merge was tried or not. */
export type WorkAfter = Required<Collision> & { isHarmless: boolean }

/**
 * All works that collide after the merges, in the order of the service. Of more than the 100 that an answer lists, nothing is
 * known, and they are left as they are.
 */
export function worksAfter(overlap: Json, judgedById: ReadonlyMap<string, JudgedMerge>): WorkAfter[] {
  const order = recordList(overlap, 'related_order')
  const listed = textList(overlap, 'related_activity_ids').flatMap((id, at) => {
    const { severity, outside, stale } = order[at] ?? {}
    const judged = judgedById.get(id)
    const known = judged?.severity ?? readSeverity(severity) ?? readSeverity(overlap.severity)
    return workOf(id, known, { outside, stale, judged })
  })
  const found = [...judgedById].flatMap(([id, judged]) => {
    const { item, known } = judged.received
    const { stale } = record(item, 'basis')
    return known.severity === null ? workOf(id, judged.severity, { outside: item.outside, stale, judged }) : []
  })
  return [...listed, ...found].sort(worstFirst)
}

interface Standing {
  outside: unknown
  stale: unknown
  judged: JudgedMerge | undefined
}

function workOf(id: string, severity: Collision['severity'] | null, { outside, stale, judged }: Standing): WorkAfter[] {
  if (severity === null) return []
  const isHarmless = judged?.isHarmless === true
  return [{ id, severity, byStranger: outside === true, isStale: stale === true, isHarmless }]
}

/** The notables that match, the worst first. */
export function readNotables(overlap: Json): AdvisedNotable[] {
  const ids = textList(overlap, 'related_notable_ids')
  const items = new Map(recordList(overlap, 'notables').map((item) => [textField(item, 'id') ?? '', item]))
  return ids.map((id) => {
    const { title, about, blocking, importance } = items.get(id) ?? {}
    return {
      id,
      title: typeof title === 'string' ? title : '',
      overlap: about === 'repository' ? null : {},
      severity: notableSeverity({ blocking: blocking === true, importance: readImportance(importance) }),
    }
  })
}

function readImportance(value: unknown): Importance {
  return importances.find((importance) => importance === value) ?? 'low'
}

/** What stands in the way besides collisions and notables. */
export function readObstacles(overlap: Json): Obstacle[] {
  const named = textList(overlap, 'obstacles')
  return obstacles.filter((one) => named.includes(one) && one !== 'collision' && one !== 'notable')
}
