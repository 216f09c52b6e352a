import { severities } from '../../enums.ts'
import { type Json, recordList, textField, textList } from '../client/json.ts'

/** By id. */
export type Severities = Readonly<Record<string, string>>

/** The collisions that were told before, and are not worse now. */
export function knownCollisions(found: Severities, told: Severities): string[] {
  return Object.entries(found).flatMap(([id, severity]) => {
    const before = told[id]
    return before !== undefined && rank(severity) <= rank(before) ? [id] : []
  })
}

/** The severity of each collision, by its id. Those that the reason only counts have none. */
export function severitiesOf(overlap: Json): Severities {
  const counted = textList(overlap, 'related_activity_ids').map((id) => [id, ''] as const)
  const described = recordList(overlap, 'collisions').map(
    (item) => [textField(item, 'activity_id') ?? '', textField(item, 'severity') ?? ''] as const,
  )
  return Object.fromEntries([...counted, ...described])
}

/** What was told, with what is told now: of each collision the worst severity. */
export function withWorst(told: Severities, found: Severities): Severities {
  const worse = Object.entries(found).filter(([id, severity]) => rank(severity) >= rank(told[id] ?? ''))
  return { ...told, ...Object.fromEntries(worse) }
}

function rank(severity: string): number {
  return severities.map(String).indexOf(severity)
}
