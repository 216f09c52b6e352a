import type { Severity } from '../enums.ts'

/** A collision in the result of a check of one live activity. */
export interface SeenCollision {
  activity_id: string
  severity: Severity
  areas: string[]
  issues: number[]
  example_path: string | null
  lines: [number, number][] | null
  their_lines: [number, number][] | null
  reason: string
  same_change?: boolean | undefined
}

/** What is held of a collision: it may have more fields. */
export function heldPart(found: SeenCollision): SeenCollision {
  const { activity_id, severity, areas, issues, example_path, lines, their_lines, reason, same_change } = found
  return { activity_id, severity, areas, issues, example_path, lines, their_lines, reason, same_change }
}
