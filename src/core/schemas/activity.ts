import { z } from 'zod'
import { activitySources, activityStatuses, archivedReasons, levels } from '../enums.ts'
import { Changes, ChangesInput, ChangesWithFiles } from './changes.ts'
import { branchName, cursor, flag, instant, issueInQuery, issues, limit, line, text } from './input.ts'
import { Scope, ScopeInput, ScopeUpdate } from './scope.ts'

export const Activity = z
  .object({
    id: z.string().meta({ examples: ['act_01h455vb4pex5vsknk084sn02q'] }),
    type: z.literal('activity'),
    title: z.string(),
    summary: z.string(),
    actor: z.string().describe('The human behind the work.'),
    agent: z.string().nullable().describe('The agent tool that works; null if a human works alone.'),
    status: z.enum(activityStatuses).describe('The first six are live, the others have ended.'),
    risk: z.enum(levels),
    branch: z.string().nullable(),
    base_branch: z.string().nullable().describe('The branch that the work will merge into.'),
    scope: Scope,
    issues: z.array(z.int()),
    pr_url: z.string().nullable(),
    draft_pr: z.boolean(),
    blocking: z.boolean().describe('A prominent warning; never a lock.'),
    heartbeat_at: instant.nullable(),
    expires_at: instant.describe('When it is archived, unless a heartbeat comes before.'),
    created_at: instant,
    updated_at: instant,
    archived_at: instant.nullable(),
    archived_reason: z.enum(archivedReasons).nullable(),
    archived_by: z.string().nullable().describe('The GitHub account of the caller who ended it.'),
    source: z.enum(activitySources).describe('Recorded by a caller, or an open pull request.'),
    author_login: z.string().nullable().describe('The GitHub account behind it; null if it is not known.'),
    began_at: instant.describe('`created_at`, or the opening of the pull request.'),
    changes: Changes.nullable().describe('What is changed; null if nothing is known.'),
  })
  .meta({ id: 'Activity', description: 'Work in progress: who does what, on which branch, and where.' })
export type Activity = z.infer<typeof Activity>

export const RetrievedActivity = Activity.extend({
  changes: ChangesWithFiles.nullable(),
  pr_reminder_due: z.boolean().describe('Whether it should have a pull request by now.'),
}).meta({ id: 'RetrievedActivity' })
export type RetrievedActivity = z.infer<typeof RetrievedActivity>

export const ActivityPage = z
  .object({ items: z.array(Activity), next_cursor: z.string().nullable() })
  .meta({ id: 'ActivityPage' })

/** The fields that a caller may send, each as a create, a check and an update take it. */
const fields = {
  title: line(200).meta({ description: 'A short name for the work.', examples: ['Rework the login'] }),
  summary: text({ min: 1, max: 2000 }).describe('One or two lines that describe the work.'),
  agent: line(100).nullable().describe('The agent tool that works; leave it out if a human works alone.'),
  branch: branchName.nullable().describe('The branch of the work; a leading `refs/heads/` is dropped.'),
  base_branch: branchName.nullable().describe('The branch that the work will merge into.'),
  risk: z.enum(levels).describe('How much harm a collision would do; `high` and `critical` raise its severity.'),
  pr_url: text({ min: 1, max: 2048 })
    .nullable()
    .describe('The URL of its pull request; what follows the number is dropped.'),
  draft_pr: z.boolean().describe('Whether the pull request is a draft.'),
  blocking: z.boolean().describe('A prominent warning to others; never a lock.'),
  changes: ChangesInput.nullable(),
  issues,
}

const actor = line(100).meta({ description: 'The human behind the work.', examples: ['Alice'] })

export const ActivityCreate = z.strictObject({
  title: fields.title,
  summary: fields.summary,
  actor,
  agent: fields.agent.optional(),
  branch: fields.branch.optional(),
  base_branch: fields.base_branch.optional(),
  scope: ScopeInput,
  risk: fields.risk.default('low'),
  pr_url: fields.pr_url.optional(),
  draft_pr: fields.draft_pr.default(false),
  blocking: fields.blocking.default(false),
  changes: fields.changes.optional(),
  issues: fields.issues.default([]),
  tags: z.null().optional().describe('Of a check alone.'),
})
export type ActivityCreate = z.output<typeof ActivityCreate>

/** What a check takes of a create: everything, and nothing has a default, since the caller's own record stands in for it. */
export const ActivityProposal = z
  .strictObject({ ...fields, actor })
  .partial()
  .extend({ scope: ScopeInput })

/** Only the fields that are sent change; `null` clears an optional text. */
export const ActivityUpdate = z
  .strictObject({
    ...fields,
    scope: ScopeUpdate,
    status: z
      .enum(activityStatuses)
      .describe('A live one can get any live status, or end; an ended one only `archived`.'),
    heartbeat: z.boolean().describe('`true` is a heartbeat; `false` does nothing.'),
  })
  .partial()
export type ActivityUpdate = z.output<typeof ActivityUpdate>

export const ActivityUpdateQuery = z.strictObject({
  overlap: flag.default(false).describe('Answer `{activity, overlap}`.'),
})

/** Ended activities are listed by `status` alone. */
export const ActivityQuery = z.strictObject({
  status: z.enum(activityStatuses).optional().describe('This status alone, which may be an ended one.'),
  risk: z.enum(levels).optional(),
  actor: line(100).optional(),
  branch: line(300).optional().describe('Of a pull request from a fork: `owner:branch`.'),
  has_pr: flag.optional().describe('Only activities with a pull request, or only those without.'),
  draft_pr_only: flag.optional().describe('Only activities whose pull request is a draft.'),
  source: z.enum(activitySources).optional(),
  issue: issueInQuery.optional(),
  mine: flag.optional().describe('Only work of the account of this token.'),
  limit,
  cursor: cursor('act'),
})
export type ActivityQuery = z.output<typeof ActivityQuery>

export const Heartbeat = z
  .object({ id: z.string(), status: z.enum(activityStatuses), heartbeat_at: instant, expires_at: instant })
  .meta({ id: 'Heartbeat' })
export const Archived = z
  .object({ id: z.string(), status: z.literal('archived'), archived_at: instant })
  .meta({ id: 'Archived' })
