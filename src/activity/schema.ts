import { z } from 'zod'
import { activityStatuses, archivedReasons, risks } from '../enums.ts'
import { branchName, line, text } from '../lib/input.ts'
import { Scope, ScopeInput, ScopeUpdate } from '../scope/schema.ts'

const instant = z.iso.datetime()
const activityId = z.string().meta({ examples: ['act_01h455vb4pex5vsknk084sn02q'] })

/** An activity in a response (docs/rules.md#activity-fields). */
export const Activity = z
  .object({
    id: activityId,
    type: z.literal('activity'),
    title: z.string(),
    summary: z.string(),
    actor: z.string().describe('The human behind the work.'),
    agent: z.string().nullable().describe('The agent tool at work; null for work by hand.'),
    status: z
      .enum(activityStatuses)
      .describe('The first six are live. `merged`, `abandoned`, `archived` and `expired` have ended.'),
    risk: z.enum(risks),
    branch: z.string().nullable(),
    base_branch: z.string().nullable().describe('The branch that it will merge into.'),
    scope: Scope,
    pr_url: z.string().nullable().describe('The pull request, where there is one.'),
    draft_pr: z.boolean(),
    blocking: z.boolean().describe('A prominent warning, and never a lock.'),
    heartbeat_at: instant.nullable().describe('The last sign of life.'),
    expires_at: instant.describe('When the work is archived, unless a heartbeat comes before.'),
    created_at: instant,
    updated_at: instant,
    archived_at: instant.nullable(),
    archived_reason: z.enum(archivedReasons).nullable().describe('How it came to be archived.'),
  })
  .meta({ description: 'Work in progress: who does what, on which branch, in which part of the repository.' })
export type Activity = z.infer<typeof Activity>

/** The single retrieve alone knows whether a pull request is overdue. */
export const RetrievedActivity = Activity.extend({
  pr_reminder_due: z
    .boolean()
    .describe('Whether live work on a branch of its own should have a pull request by now, and has none.'),
})
export type RetrievedActivity = z.infer<typeof RetrievedActivity>

const title = line(200).meta({ description: 'A short name for the work.', examples: ['Rework the login'] })
const summary = text({ min: 1, max: 2000 }).describe('One or two lines on what is being done.')
const branch = branchName.describe(
  'The branch of the work, at most 255 characters; a leading `refs/heads/` is dropped.',
)
const baseBranch = branchName.describe('The branch that it will merge into, likewise.')
const risk = z
  .enum(risks)
  .describe('How much harm a collision would do; `high` and `critical` raise the severity of what others are told.')
const pullRequestUrl = text({ min: 1, max: 2048 }).meta({
  description: 'A pull request on the GitHub server; what follows its number is dropped.',
  examples: ['https://github.com/octocat/hello-world/pull/7'],
})
const draft = z.boolean().describe('Whether the pull request is a draft.')
const warning = z.boolean().describe('A prominent warning to others, and never a lock.')

/** The body of a create. `null` for an optional text means no value (docs/rules.md#null-values). */
export const ActivityCreate = z.strictObject({
  title,
  summary,
  actor: line(100).meta({ description: 'The human behind the work.', examples: ['Alice'] }),
  agent: line(100)
    .meta({ description: 'The agent tool at work; absent for work by hand.', examples: ['claude-code'] })
    .nullish(),
  branch: branch.nullish(),
  base_branch: baseBranch.nullish(),
  scope: ScopeInput,
  risk: risk.default('low'),
  pr_url: pullRequestUrl.nullish(),
  draft_pr: draft.default(false),
  blocking: warning.default(false),
})
export type ActivityCreate = z.infer<typeof ActivityCreate>

/**
 * The body of a PATCH: only the fields sent change; `null` clears an optional text (docs/rules.md#updating-records).
 */
export const ActivityUpdate = z
  .strictObject({
    title,
    summary,
    branch: branch.nullable(),
    base_branch: baseBranch.nullable(),
    scope: ScopeUpdate,
    risk,
    pr_url: pullRequestUrl.nullable(),
    draft_pr: draft,
    blocking: warning,
    status: z
      .enum(activityStatuses)
      .describe(
        'Live work moves to any live status, `merged`, `abandoned` or `archived`; ended work to `archived` alone.',
      ),
    heartbeat: z.boolean().describe('`true` is a heartbeat; `false` does nothing.'),
  })
  .partial()
export type ActivityUpdate = z.infer<typeof ActivityUpdate>

const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  // In a query a boolean is spelled as one of these two words.
  .meta({ type: 'boolean', enum: undefined })

/** The filters of the list. Ended activities are listed by `status` only (docs/rules.md#activity-filters). */
export const ActivityFilters = z.strictObject({
  status: z.enum(activityStatuses).optional().describe('This status alone, an ended one too. Without it: live work.'),
  risk: z.enum(risks).optional(),
  actor: line(100).optional().describe('Exactly this human.'),
  branch: branchName.optional().describe('Exactly this branch.'),
  has_pr: flag.optional().describe('Only work with, or without, a pull request.'),
  draft_pr_only: flag
    .optional()
    .describe('`true`: only work whose pull request is a draft. `false` restricts nothing.'),
})
export type ActivityFilters = z.infer<typeof ActivityFilters>

export const Heartbeat = z.object({ id: activityId, heartbeat_at: instant, expires_at: instant })
export type Heartbeat = z.infer<typeof Heartbeat>

export const ArchivedActivity = z.object({ id: activityId, status: z.literal('archived'), archived_at: instant })
export type ArchivedActivity = z.infer<typeof ArchivedActivity>
