import { z } from 'zod'
import { ActivityCreate } from '../activity/schema.ts'
import { absentIfNull, branchName } from '../input.ts'
import { labels } from '../scope/schema.ts'
import { severities } from '../vocabulary.ts'

export const relationships = ['own', 'stacked', 'collision'] as const
export type Relationship = (typeof relationships)[number]

export const ReuseOpportunity = z.object({
  activity_id: z.string(),
  title: z.string(),
  branch: z.string().nullable(),
  pr_url: z.string().nullable(),
  ended_at: z.iso.datetime(),
  reason: z.string(),
})
export type ReuseOpportunity = z.infer<typeof ReuseOpportunity>

/** The answer of a check, and the `overlap` of a create (service-spec; decisions §1, §5). */
export const Overlap = z.object({
  overlap_detected: z.boolean(),
  severity: z.enum(severities).nullable(),
  reason: z.string(),
  related_activity_ids: z.array(z.string()),
  related_notable_ids: z.array(z.string()),
  expected_activity_ids: z.array(z.string()),
  repository_notable_ids: z.array(z.string()),
  relationships: z.record(z.string(), z.enum(relationships)),
  recommended_action: z.string(),
  reuse_opportunities: z.array(ReuseOpportunity),
})
export type Overlap = z.infer<typeof Overlap>

/**
 * The body of a check: that of a create as it is, whose other fields are validated and not used, and `tags` and
 * `activity_id` (decisions §2).
 */
export const OverlapCheck = ActivityCreate.partial().extend({
  branch: branchName.nullish(),
  tags: absentIfNull(labels),
  activity_id: z.string().optional(),
})
export type OverlapCheck = z.infer<typeof OverlapCheck>
