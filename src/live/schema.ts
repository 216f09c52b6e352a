import { z } from 'zod'
import { severities } from '../enums.ts'
import { Observed } from '../observed/state.ts'

const range = z.tuple([z.int(), z.int()])

/** Two live activities that collide (docs/rules.md#colliding-pairs). */
export const CollidingPair = z.object({
  activity_ids: z.array(z.string()).length(2).describe('The newer activity first.'),
  severity: z.enum(severities),
  areas: z.array(z.string()),
  example_path: z.string().nullable(),
  lines: z.array(range).nullable().describe('The changed lines of the newer activity.'),
  reason: z.string(),
  since: z.iso.datetime().describe('When the later of the two last changed what it works on.'),
  outside_ids: z
    .array(z.string())
    .optional()
    .describe('Which of the two are pull requests from outside of the project; absent if neither is.'),
})
export type CollidingPair = z.infer<typeof CollidingPair>

export const Collisions = z.object({
  items: z.array(CollidingPair).describe('Those of members first, each worst first, then newest; at most 500.'),
  truncated: z
    .boolean()
    .describe('Whether more activities are live than are compared, or more pairs collide than are listed.'),
})
export type Collisions = z.infer<typeof Collisions>

/** The pairs, and how far the open pull requests among them are known. */
export const ListedCollisions = Collisions.extend({ observed: Observed })
export type ListedCollisions = z.infer<typeof ListedCollisions>

/** How many pairs, or records of one kind, are sent at most. */
export const mostSent = 500

/** The pairs of one activity; all of them without an id. */
export function pairsOf(pairs: readonly CollidingPair[], activityId: string | undefined): CollidingPair[] {
  return pairs.filter(({ activity_ids }) => activityId === undefined || activity_ids.includes(activityId))
}
