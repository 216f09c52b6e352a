import { z } from 'zod'
import { severities } from '../enums.ts'
import { Observed } from './observation.ts'

const range = z.tuple([z.int(), z.int()])

/** Two live activities that collide (docs/rules.md#colliding-pairs). */
export const CollidingPair = z.object({
  activity_ids: z.array(z.string()).length(2).describe('The newer activity first.'),
  severity: z.enum(severities),
  areas: z.array(z.string()),
  issues: z.array(z.int()).describe('The issues that both mean to close, as far as they count.'),
  example_path: z.string().nullable(),
  lines: z.array(range).nullable().describe('The changed lines of the newer activity.'),
  reason: z.string(),
  same_change: z
    .boolean()
    .optional()
    .describe('`true` where both are the same change, or one is a part of the other; else absent.'),
  since: z.iso.datetime().describe('When the later of the two last changed what it works on.'),
  outside_ids: z
    .array(z.string())
    .optional()
    .describe('Which of the two are pull requests from outside of the project; absent if neither is.'),
})
export type CollidingPair = z.infer<typeof CollidingPair>

/** The pairs, whether these are all, and how far the open pull requests among them are known. */
export const ListedCollisions = z.object({
  items: z
    .array(CollidingPair)
    .describe(
      'Those of members first, each worst first, of one severity those whose lines are known, then newest; at most 500, and at most 1 MiB.',
    ),
  truncated: z
    .boolean()
    .describe(
      'Whether there may be more: not all live work is compared yet, more is live than is compared, or more collides than is listed. `items` may be empty then although work collides.',
    ),
  observed: Observed,
})
export type ListedCollisions = z.infer<typeof ListedCollisions>

/** The data of a `collisions` event: it replaces all pairs that the client has. */
export interface Collisions {
  items: CollidingPair[]
  /** Whether more pairs collide. */
  truncated: boolean
  /** Whether all live work was compared. Otherwise the absence of a pair says nothing. */
  collisions_complete: boolean
}

/** The most pairs, and the most records of one kind, that are sent. */
export const mostSent = 500

/** The most bytes of a snapshot, and of the events of one poll. */
export const mostSentBytes = 1024 * 1024
