import { collisionItem } from '../../core/rules/collision-item.ts'
import type { Findings } from '../../core/rules/findings.ts'
import { type IdLimits, idLimits } from '../../core/rules/id-limits.ts'
import { notableItems } from '../../core/rules/notable-item.ts'
import { newestFirst, strangersLast } from '../../core/rules/order.ts'
import { bySeverity, worst } from '../../core/rules/severity.ts'
import { presentState } from '../../core/schemas/observation.ts'
import type { Overlap, Relationship } from '../../core/schemas/overlap.ts'
import { describedOverlaps, isCollision } from '../../core/texts/described.ts'
import { explain } from '../../core/texts/explain.ts'

/** Builds the response of a check: sorts, limits and explains what was found (docs/rules.md#overlap-fields). */
export function buildOverlap(found: Findings, most: IdLimits = idLimits): Overlap {
  const { collisions, nearby, observed } = found
  const notables = found.notables.toSorted((a, b) => bySeverity(a, b) || newestFirst(a.notable, b.notable))
  const expected = found.expected.toSorted((a, b) => strangersLast(a, b) || newestFirst(a.activity, b.activity))
  const repositoryNotables = found.repositoryNotables.toSorted(newestFirst)
  const related = collisions.slice(0, most.ids).map(({ id }) => id)
  const listedExpected = expected.slice(0, most.ids)
  const relationships: Record<string, Relationship> = {}
  for (const id of related) relationships[id] = 'collision'
  for (const { activity, relationship } of listedExpected) relationships[activity.id] = relationship
  const sorted = { ...found, notables, expected, repositoryNotables }
  return {
    overlap_detected: collisions.length > 0 || notables.length > 0,
    severity: worst([...collisions, ...notables].map(({ severity }) => severity)),
    ...explain(sorted),
    notables: notableItems(sorted, most),
    related_activity_ids: related,
    related_notable_ids: notables.slice(0, most.ids).map(({ notable }) => notable.id),
    expected_activity_ids: listedExpected.map(({ activity }) => activity.id),
    repository_notable_ids: repositoryNotables.slice(0, most.ids).map(({ id }) => id),
    nearby_activity_ids: nearby.slice(0, most.nearby).map(({ activity }) => activity.id),
    nearby_count: nearby.length,
    collisions: describedOverlaps(sorted).filter(isCollision).map(collisionItem),
    observed: presentState(observed),
    relationships,
    reuse_opportunities: found.reuse,
  }
}
