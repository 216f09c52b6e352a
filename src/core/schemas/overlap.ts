import { z } from 'zod'
import { ChangesInput } from '../changes/schema.ts'
import { importances, messageKinds, obstacles, severities } from '../enums.ts'
import { absentIfNull, branchName } from '../lib/input.ts'
import { labels } from '../scope/schema.ts'
import { ActivityCreate } from './activity.ts'
import { CandidateItem, CollisionItem } from './collision-item.ts'
import { issues } from './issues.ts'
import { Observed } from './observation.ts'

export const relationships = ['own', 'stacked', 'collision'] as const
export type Relationship = (typeof relationships)[number]

export const ReuseOpportunity = z
  .object({
    activity_id: z.string(),
    title: z.string(),
    branch: z.string().nullable(),
    pr_url: z.string().nullable(),
    ended_at: z.iso.datetime(),
    issues: z
      .array(z.int())
      .describe('The issues of the proposal that it named, where it was merged in the last 7 days; else empty.'),
    reason: z.string(),
  })
  .meta({
    description:
      'Work that was merged lately for the same issue or in the same place: look there before you write it anew.',
  })
export type ReuseOpportunity = z.infer<typeof ReuseOpportunity>

/** A notable that matches, or that is about the whole repository, as data. */
export const NotableItem = z.object({
  id: z.string(),
  about: z
    .enum(['repository', 'paths', 'areas'])
    .describe('What it shares with the proposal, or the whole repository.'),
  blocking: z.boolean(),
  importance: z.enum(importances),
  title: z.string(),
  until: z.iso.datetime().nullable().describe('Its `applies_until`.'),
})
export type NotableItem = z.infer<typeof NotableItem>

/** One line of the texts of a check (docs/rules.md#overlap-messages). */
const Message = z.object({
  kind: z.enum(messageKinds).describe('`nearby`: no overlap. `unknown`: what was not compared.'),
  ids: z.array(z.string()).describe('The records that it is about.'),
  text: z.string(),
})

/** The response of a check, and the `overlap` of a create (docs/rules.md#overlap-fields). */
export const Overlap = z
  .object({
    overlap_detected: z
      .boolean()
      .describe(
        'Whether work collides or a notable matches: one about this place, or one about the whole repository that is `blocking` or critical.',
      ),
    clear: z
      .boolean()
      .describe(
        'Whether nothing stands in the way: what to branch on. Only then `recommended_action` says "Go ahead".',
      ),
    obstacles: z
      .array(z.enum(obstacles))
      .describe(
        'Why it is not `clear`: work collides, a notable matches, no place is named, not everything was compared, not all open work is read, others change files that a wider glob covers, or another proposal of the same request collides.',
      ),
    severity: z
      .enum(severities)
      .nullable()
      .describe(
        'The worst of all. By changed lines: `high` if they touch, `medium` if one unchanged line is between them, `low` if only one side is known. By scopes: `low` for a shared area, `medium` for intersecting paths, `high` for the same file. For the same issue: `medium`, or `low` with outside or stale work. A step more where the other work is `blocking` or of high risk. A matching notable is `high` where it is `blocking` or critical, `medium` where it is of high importance, else `low`.',
      ),
    reason: z
      .string()
      .describe(
        'Who, where and on which files: at most five lines, worst first, and then a count. Text in quotation marks is other people’s.',
      ),
    related_activity_ids: z
      .array(z.string())
      .describe('Work that collides: that of members first, each worst first; at most 100.'),
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
    nearby_activity_ids: z
      .array(z.string())
      .describe('Work that changes something near, and is no overlap: closest first; at most 20.'),
    nearby_count: z.int().describe('How much of such work there is.'),
    collisions: z.array(CollisionItem).describe('The collisions of `reason`; at most 5.'),
    candidates: z
      .array(CandidateItem)
      .optional()
      .describe(
        'Work of others that shares a changed file and may be tried by a merge: closest first; at most 20. Only where a check, a create or a PATCH sends `changes`, for a token that may list pull requests.',
      ),
    candidates_total: z.int().optional().describe('How much of such work there is.'),
    related_order: z
      .array(
        z.object({
          severity: z.enum(severities),
          outside: z.boolean().optional(),
          stale: z.boolean().optional(),
        }),
      )
      .optional()
      .describe(
        'What each of `related_activity_ids` is ordered by, `outside` and `stale` only where `true`; only beside `candidates`.',
      ),
    all_compared: z
      .boolean()
      .optional()
      .describe('`false` where that was too costly, or a stored scope is too large; only beside `candidates`.'),
    notables: z
      .array(NotableItem)
      .describe('The notables of `related_notable_ids`, then those of `repository_notable_ids`.'),
    observed: Observed,
    relationships: z
      .record(z.string(), z.enum(relationships))
      .describe('What each activity of the lists is to you, by its id.'),
    recommended_action: z
      .string()
      .describe('What to do next, in lines as those of `reason`. Never an order, and never empty.'),
    messages: z
      .array(Message)
      .describe('The lines of the two texts: those of `advice` are `recommended_action`, all others `reason`.'),
    reuse_opportunities: z
      .array(ReuseOpportunity)
      .describe('Those that named an issue of the proposal first, each newest first; at most 5.'),
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
  issues: issues
    .optional()
    .describe(
      'The issues that you mean to close. Work of others for the same issue collides, whatever the paths. With `activity_id` they replace those that the activity was given.',
    ),
  changes: ChangesInput.nullish().describe('What you changed. Its lines decide about changed files of others.'),
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

const proposalsLimit = 50

/** The body of a check of several proposals (docs/rules.md#many-tasks). */
export const BatchCheck = z.strictObject({
  proposals: z.array(OverlapCheck).min(2).max(proposalsLimit).describe('Each as the body of a check.'),
})
export type BatchCheck = z.infer<typeof BatchCheck>

/** Two proposals of a request that collide with one another. */
export const ProposalPair = z.object({
  indexes: z.tuple([z.int(), z.int()]).describe('Their places in `proposals`, the lower one first.'),
  severity: z.enum(severities),
  example_path: z.string().nullable().describe('A file that both name or change; `null` if only areas are shared.'),
  areas: z.array(z.string()).describe('The areas that both name.'),
  issues: z.array(z.int()).describe('The issues that both mean to close, as far as they count.'),
  same_change: z
    .boolean()
    .optional()
    .describe('`true` where both are the same change, or one is a part of the other; else absent.'),
})
export type ProposalPair = z.infer<typeof ProposalPair>

export const BatchOverlap = z.object({
  results: z
    .array(Overlap)
    .describe(
      'As a check answers, in the order of `proposals`, with at most 10 ids in each list and without `candidates`. `clear` is `false` too where the proposal is in a pair, or was not compared with all others.',
    ),
  pairs: z.array(ProposalPair).describe('Which proposals collide with one another: worst first.'),
  pairs_complete: z.boolean().describe('Whether all proposals were compared with one another.'),
})
export type BatchOverlap = z.infer<typeof BatchOverlap>
