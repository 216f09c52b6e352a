import { collisionBasis } from '../../core/rules/collision-basis.ts'
import type { Findings } from '../../core/rules/findings.ts'
import { newestFirst, orderFields, strangersLast } from '../../core/rules/order/list-order.ts'
import { outcomeOf } from '../../core/rules/outcome.ts'
import { collisionItem } from '../../core/rules/response/collision-item.ts'
import { type IdLimits, idLimits } from '../../core/rules/response/id-limits.ts'
import { notableItems } from '../../core/rules/response/notable-item.ts'
import { bySeverity } from '../../core/rules/severity.ts'
import { presentState } from '../../core/schemas/observation.ts'
import type { Overlap, Relationship } from '../../core/schemas/overlap.ts'
import { otherObstacles } from '../../core/texts/clear.ts'
import { describedOverlaps, isNotable } from '../../core/texts/described.ts'
import { explain } from '../../core/texts/explain.ts'

/** Builds the response of a check: sorts, limits and explains what was found (docs/rules.md#overlap-fields). */
export function buildOverlap(found: Findings, most: IdLimits = idLimits, triesMerges = false): Overlap {
  const { collisions, nearby, observed } = found
  const notables = found.notables.toSorted((a, b) => bySeverity(a, b) || newestFirst(a.notable, b.notable))
  const expected = found.expected.toSorted((a, b) => strangersLast(a, b) || newestFirst(a.activity, b.activity))
  const repositoryNotables = found.repositoryNotables.toSorted(newestFirst)
  const listed = collisions.slice(0, most.ids)
  const related = listed.map(({ id }) => id)
  const listedExpected = expected.slice(0, most.ids)
  const relationships: Record<string, Relationship> = {}
  for (const id of related) relationships[id] = 'collision'
  for (const { activity, relationship } of listedExpected) relationships[activity.id] = relationship
  const sorted = { ...found, notables, expected, repositoryNotables }
  const outcome = outcomeOf({ works: collisions, notables, others: otherObstacles(found) })
  return {
    ...outcome,
    ...explain(sorted, outcome.obstacles),
    notables: notableItems(sorted, most),
    related_activity_ids: related,
    related_notable_ids: notables.slice(0, most.ids).map(({ notable }) => notable.id),
    expected_activity_ids: listedExpected.map(({ activity }) => activity.id),
    repository_notable_ids: repositoryNotables.slice(0, most.ids).map(({ id }) => id),
    nearby_activity_ids: nearby.slice(0, most.nearby).map(({ activity }) => activity.id),
    nearby_count: nearby.length,
    collisions: describedOverlaps(sorted).flatMap((one) => {
      if (isNotable(one)) return []
      return { ...collisionItem(one), ...(triesMerges && { basis: collisionBasis(one, found) }) }
    }),
    ...(triesMerges && { related_order: listed.map(orderFields), all_compared: found.isWhole }),
    observed: presentState(observed),
    relationships,
    reuse_opportunities: found.reuse,
  }
}
