import { z } from 'zod'
import { branchName, line, text } from '../input.ts'
import { Scope, ScopeInput, ScopeUpdate } from '../scope/schema.ts'
import { activityStatuses, archivedReasons, risks } from '../vocabulary.ts'

const instant = z.iso.datetime()

/** An activity as every answer shows it (service-spec, Resources; decisions §1). */
export const Activity = z.object({
  id: z.string(),
  type: z.literal('activity'),
  title: z.string(),
  summary: z.string(),
  actor: z.string(),
  agent: z.string().nullable(),
  status: z.enum(activityStatuses),
  risk: z.enum(risks),
  branch: z.string().nullable(),
  base_branch: z.string().nullable(),
  scope: Scope,
  pr_url: z.string().nullable(),
  draft_pr: z.boolean(),
  blocking: z.boolean(),
  heartbeat_at: instant.nullable(),
  expires_at: instant,
  created_at: instant,
  updated_at: instant,
  archived_at: instant.nullable(),
  archived_reason: z.enum(archivedReasons).nullable(),
})
export type Activity = z.infer<typeof Activity>

/** The single retrieve alone knows whether a pull request is overdue. */
export const RetrievedActivity = Activity.extend({ pr_reminder_due: z.boolean() })
export type RetrievedActivity = z.infer<typeof RetrievedActivity>

const title = line(200)
const summary = text({ min: 1, max: 2000 })
const pullRequestUrl = text({ min: 1, max: 2048 })

/** The body of a create. `null` for an optional text means no value (decisions §2). */
export const ActivityCreate = z.strictObject({
  title,
  summary,
  actor: line(100),
  agent: line(100).nullish(),
  branch: branchName.nullish(),
  base_branch: branchName.nullish(),
  scope: ScopeInput,
  risk: z.enum(risks).default('low'),
  pr_url: pullRequestUrl.nullish(),
  draft_pr: z.boolean().default(false),
  blocking: z.boolean().default(false),
})
export type ActivityCreate = z.infer<typeof ActivityCreate>

/** The body of a PATCH: only the fields sent change; `null` clears a text that may be absent (decisions §2). */
export const ActivityUpdate = z
  .strictObject({
    title,
    summary,
    branch: branchName.nullable(),
    base_branch: branchName.nullable(),
    scope: ScopeUpdate,
    risk: z.enum(risks),
    pr_url: pullRequestUrl.nullable(),
    draft_pr: z.boolean(),
    blocking: z.boolean(),
    status: z.enum(activityStatuses),
    heartbeat: z.boolean(),
  })
  .partial()
export type ActivityUpdate = z.infer<typeof ActivityUpdate>

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** The filters of the list; `status` alone brings back ended ones (decisions §3). */
export const ActivityFilters = z.strictObject({
  status: z.enum(activityStatuses).optional(),
  risk: z.enum(risks).optional(),
  actor: line(100).optional(),
  branch: branchName.optional(),
  has_pr: flag.optional(),
  draft_pr_only: flag.optional(),
})
export type ActivityFilters = z.infer<typeof ActivityFilters>

export const Heartbeat = z.object({ id: z.string(), heartbeat_at: instant, expires_at: instant })
export type Heartbeat = z.infer<typeof Heartbeat>

export const ArchivedActivity = z.object({ id: z.string(), status: z.literal('archived'), archived_at: instant })
export type ArchivedActivity = z.infer<typeof ArchivedActivity>
