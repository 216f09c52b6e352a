import { type Obstacle, obstacles, type Severity } from '../enums.ts'
import type { Collision } from './findings.ts'
import { worst } from './severity.ts'

/** What an answer depends on: what the service knows, or the command line by the fields of the answer and the merges that it tried. */
export interface CheckFacts {
  /** All works that collide. Nothing is left of a harmless one, as a tried merge shows: it stays listed. */
  works: readonly (Collision & { isHarmless?: boolean })[]
  /** The notables that match. */
  notables: readonly { severity: Severity }[]
  /** What else stands in the way. */
  others: readonly Obstacle[]
}

export interface CheckOutcome {
  overlap_detected: boolean
  severity: Severity | null
  clear: boolean
  obstacles: Obstacle[]
}

/** What the works and notables come to (docs/rules.md#clear). */
export function outcomeOf({ works, notables, others }: CheckFacts): CheckOutcome {
  const met = new Set(others)
  if (works.some(({ isHarmless }) => !isHarmless)) met.add('collision')
  if (notables.length > 0) met.add('notable')
  return {
    overlap_detected: works.length + notables.length > 0,
    severity: worst([...works, ...notables].map(({ severity }) => severity)),
    clear: met.size === 0,
    obstacles: obstacles.filter((obstacle) => met.has(obstacle)),
  }
}
