import { z } from 'zod'
import { Changes, ChangesInput, ChangesWithFiles } from '../changes/schema.ts'
import { activitySources, activityStatuses, archivedReasons, issueSources, risks } from '../enums.ts'
import { addFault, branchName, line, observedBranch, text } from '../lib/input.ts'
import { Scope, ScopeInput, ScopeUpdate } from '../scope/schema.ts'
import { issueParameter, issues, issuesFrom } from './issues.ts'

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
    agent: z.string().nullable().describe('The agent tool that works; null if a human works alone.'),
    status: z
      .enum(activityStatuses)
      .describe('The first six are live. `merged`, `abandoned`, `archived` and `expired` have ended.'),
    risk: z.enum(risks),
    branch: z.string().nullable(),
    base_branch: z.string().nullable().describe('The branch that the work will merge into.'),
    scope: Scope,
    scope_changed: z.array(z.string()).max(20).describe('The directories of the changed files.'),
    issues: z
      .array(z.int())
      .describe(
        'The issues that it means to close, sorted; of recorded work with those of the pull request that it covers.',
      ),
    issues_from: z
      .enum(issueSources)
      .nullable()
      .describe('`branch`: they are known from the name of the branch alone.'),
    pr_url: z.string().nullable().describe('The URL of the pull request, if there is one.'),
    draft_pr: z.boolean(),
    blocking: z.boolean().describe('A prominent warning; never a lock.'),
    heartbeat_at: instant.nullable().describe('When the last heartbeat came.'),
    expires_at: instant.describe('When the activity is archived, unless a heartbeat comes before.'),
    created_at: instant,
    updated_at: instant,
    archived_at: instant.nullable(),
    archived_reason: z.enum(archivedReasons).nullable().describe('Why it was archived.'),
    source: z
      .enum(activitySources)
      .describe('`recorded` by a caller, or observed at GitHub: an open pull request or a pushed branch.'),
    author_login: z.string().nullable().describe('The GitHub account behind the work; null if it is not known.'),
    began_at: instant.describe(
      'When the work began: the opening of an observed pull request, the first push of an observed branch, else `created_at`.',
    ),
    covered_by: z
      .string()
      .nullable()
      .describe('The recorded activity that stands for this observed work in lists and checks.'),
    changes: Changes.nullable().describe('What GitHub or the client says is changed; null if nothing is known.'),
  })
  .meta({ description: 'Work in progress: who does what, on which branch, and where in the repository.' })
export type Activity = z.infer<typeof Activity>

/** The activity of a single retrieve. Lists have neither `pr_reminder_due` nor the changed files. */
export const RetrievedActivity = Activity.extend({
  changes: ChangesWithFiles.nullable(),
  pr_reminder_due: z
    .boolean()
    .describe('Whether the activity is live, has a branch, and should have a pull request by now.'),
})
export type RetrievedActivity = z.infer<typeof RetrievedActivity>

const title = line(200).meta({ description: 'A short name for the work.', examples: ['Rework the login'] })
const summary = text({ min: 1, max: 2000 }).describe('One or two lines that describe the work.')
const agent = line(100).meta({
  description: 'The agent tool that works; leave it out if a human works alone.',
  examples: ['claude-code'],
})
const branch = branchName.describe(
  'The branch of the work, at most 255 characters; a leading `refs/heads/` is dropped.',
)
const baseBranch = branchName.describe('The branch that the work will merge into; the same rules as for `branch`.')
const risk = z
  .enum(risks)
  .describe('How much harm a collision would do; `high` and `critical` raise the severity that others see.')
const pullRequestUrl = text({ min: 1, max: 2048 }).meta({
  description: 'The URL of a pull request on the GitHub server; everything after its number is dropped.',
  examples: ['https://github.com/octocat/hello-world/pull/7'],
})
const draft = z.boolean().describe('Whether the pull request is a draft.')
const warning = z.boolean().describe('A prominent warning to others; never a lock.')

/** The body of a create. `null` for an optional text means no value (docs/rules.md#null-values). */
export const ActivityCreate = z.strictObject({
  title,
  summary,
  actor: line(100).meta({ description: 'The human behind the work.', examples: ['Alice'] }),
  agent: agent.nullish(),
  branch: branch.nullish(),
  base_branch: baseBranch.nullish(),
  scope: ScopeInput,
  risk: risk.default('low'),
  pr_url: pullRequestUrl.nullish(),
  draft_pr: draft.default(false),
  blocking: warning.default(false),
  changes: ChangesInput.nullish(),
  issues: issues.default([]),
  issues_from: issuesFrom.nullish(),
})
export type ActivityCreate = z.infer<typeof ActivityCreate>

/**
 * The body of a PATCH: only the fields sent change; `null` clears an optional text (docs/rules.md#updating-records).
 */
export const ActivityUpdate = z
  .strictObject({
    title,
    summary,
    agent: agent.nullable(),
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
        'A live activity can move to any live status, `merged`, `abandoned` or `archived`; an ended one only to `archived`.',
      ),
    heartbeat: z.boolean().describe('`true` is a heartbeat; `false` does nothing.'),
    changes: ChangesInput.nullable(),
    issues: issues.describe(
      'Replaces the issues that were sent before. Not those of a pull request, which follow GitHub.',
    ),
    issues_from: issuesFrom.nullable(),
  })
  .partial()
export type ActivityUpdate = z.infer<typeof ActivityUpdate>

export const flag = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  // A query parameter is text; the OpenAPI document calls it a boolean.
  .meta({ type: 'boolean', enum: undefined })

/** Sources, separated by commas; sorted and each once, since cursors belong to filters. */
const sources = z
  .string()
  .transform((text, context) => {
    const words = text.split(',')
    const known = activitySources.filter((source) => words.includes(source))
    if (words.every((word) => known.some((source) => source === word))) return known
    addFault(context, 'invalid_value', `must be one or several of ${activitySources.join(', ')}, separated by commas`)
    return z.NEVER
  })
  .meta({ type: 'string', pattern: `^(${activitySources.join('|')})(,(${activitySources.join('|')}))*$` })

/** The filters of the list. Ended activities are listed by `status` only (docs/rules.md#activity-filters). */
export const ActivityFilters = z.strictObject({
  status: z
    .enum(activityStatuses)
    .optional()
    .describe('Only this status, which may be an ended one. By default live activities are listed.'),
  risk: z.enum(risks).optional(),
  actor: line(100).optional().describe('Only this human; an exact match.'),
  branch: observedBranch
    .optional()
    .describe('Only this branch; an exact match. The branch of a fork is `owner:branch`.'),
  has_pr: flag.optional().describe('Only activities with a pull request, or only those without.'),
  draft_pr_only: flag
    .optional()
    .describe('`true`: only activities whose pull request is a draft. `false`: no restriction.'),
  source: sources
    .optional()
    .describe('Only these sources, separated by commas. By default recorded and observed work is listed.'),
  issue: issueParameter.optional(),
  mine: flag.optional().describe('`true`: only work of the GitHub account of this token. `false`: no restriction.'),
})
export type ActivityFilters = z.infer<typeof ActivityFilters>

export const Heartbeat = z.object({ id: activityId, heartbeat_at: instant, expires_at: instant })
export type Heartbeat = z.infer<typeof Heartbeat>

export const ArchivedActivity = z.object({ id: activityId, status: z.literal('archived'), archived_at: instant })
export type ArchivedActivity = z.infer<typeof ArchivedActivity>
