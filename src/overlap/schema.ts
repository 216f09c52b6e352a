import { z } from 'zod'
import { ActivityCreate } from '../activity/schema.ts'
import { severities } from '../enums.ts'
import { absentIfNull, branchName } from '../lib/input.ts'
import { labels } from '../scope/schema.ts'

export const relationships = ['own', 'stacked', 'collision'] as const
export type Relationship = (typeof relationships)[number]

/** The limit of each list of ids in a response. */
export const mostIds = 100

export const ReuseOpportunity = z
  .object({
    activity_id: z.string(),
    title: z.string(),
    branch: z.string().nullable(),
    pr_url: z.string().nullable(),
    ended_at: z.iso.datetime(),
    reason: z.string(),
  })
  .meta({ description: 'Work that was merged lately in the same place: look there before you write it anew.' })
export type ReuseOpportunity = z.infer<typeof ReuseOpportunity>

/** The response of a check, and the `overlap` of a create (docs/rules.md#overlap-fields). */
export const Overlap = z
  .object({
    overlap_detected: z
      .boolean()
      .describe(
        'Whether work collides or a notable matches: one about this place, or one about the whole repository that is `blocking` or critical.',
      ),
    severity: z
      .enum(severities)
      .nullable()
      .describe(
        'The worst of all: `low` for a shared area, `medium` for intersecting paths, `high` for the same file, a step more where the other work is `blocking` or of high risk. A matching notable is `high` where it is `blocking` or critical, `medium` where it is of high importance, else `low`.',
      ),
    reason: z
      .string()
      .describe(
        'Who, where and on which files: at most five lines, worst first, and then a count. Each line ends with a line feed. Text in quotation marks is other people’s.',
      ),
    related_activity_ids: z.array(z.string()).describe('Work that collides, worst first; at most 100.'),
    related_notable_ids: z
      .array(z.string())
      .describe(
        'Notables that match, worst first; at most 100. One about the whole repository that is `blocking` or critical matches every proposal.',
      ),
    expected_activity_ids: z.array(z.string()).describe('Your own and stacked work: no overlap; at most 100.'),
    repository_notable_ids: z
      .array(z.string())
      .describe(
        'Notables about the whole repository that are neither `blocking` nor critical: no overlap; at most 100.',
      ),
    relationships: z
      .record(z.string(), z.enum(relationships))
      .describe('What each activity of the lists is to you, by its id.'),
    recommended_action: z
      .string()
      .describe('What to do next, in lines as those of `reason`. Never an order, and never empty.'),
    reuse_opportunities: z.array(ReuseOpportunity).describe('Newest first; at most 5.'),
  })
  .meta({ description: 'Advice: it never refuses work.' })
export type Overlap = z.infer<typeof Overlap>

/**
 * The body of a check: the fields of a create, and `tags` and `activity_id` (docs/rules.md#checking-for-overlap). Fields of a create
 * that do not matter to a check are validated and ignored.
 */
export const OverlapCheck = ActivityCreate.partial().extend({
  branch: branchName.describe('The branch that you work on, or will.').nullish(),
  tags: absentIfNull(labels).describe('More area labels to match by, in this check alone.'),
  activity_id: z
    .string()
    .optional()
    .meta({
      description:
        'Your own activity: left out of the comparison, and its scope and branches stand in for what you leave out. Where it has ended, `recommended_action` says so first.',
      minLength: 1,
      examples: ['act_01h455vb4pex5vsknk084sn02q'],
    }),
})
export type OverlapCheck = z.infer<typeof OverlapCheck>
