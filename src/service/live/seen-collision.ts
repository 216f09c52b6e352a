import type { CollisionItem } from '../../core/schemas/collision-item.ts'

/** What is held of a collision in the result of a check of one live activity. */
export type SeenCollision = Pick<
  CollisionItem,
  'activity_id' | 'severity' | 'areas' | 'issues' | 'example_path' | 'lines' | 'their_lines' | 'same_change'
> & { reason: string }

export function heldPart(found: SeenCollision): SeenCollision {
  const { activity_id, severity, areas, issues, example_path, lines, their_lines, reason, same_change } = found
  return { activity_id, severity, areas, issues, example_path, lines, their_lines, reason, same_change }
}
