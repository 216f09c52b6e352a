import { z } from 'zod'
import { activitySources, levels, meetingKinds, obstacles, readingStates, relationships, severities } from '../enums.ts'
import { ActivityProposal } from './activity.ts'
import { absentIfNull, instant, text } from './input.ts'
import { labels } from './scope.ts'

/** The body of a check: that of a create as it is, and what belongs to the check alone. */
export const OverlapCheck = ActivityProposal.extend({
  tags: absentIfNull(labels).describe('More area labels to match by, in this check alone.'),
  activity_id: text({ min: 1, max: 100 })
    .optional()
    .describe('Your own activity: it stands in for what you leave out.'),
})
export type OverlapCheck = z.output<typeof OverlapCheck>

/** First and last lines of the old side, of one file. */
const lines = z.array(z.array(z.int()).length(2)).nullable()

const severity = z.enum(severities)

/** Work that the proposal meets, or comes near to. */
export const Met = z
  .object({
    activity_id: z.string(),
    severity: severity.nullable().describe('`null` where it is only near.'),
    by: z.enum(meetingKinds).describe('What the worst of it is.'),
    example_path: z.string().nullable(),
    paths: z.array(z.string()).describe('Files that both change, the first 20.'),
    paths_total: z.int(),
    lines: lines.describe('The lines of the proposal in `example_path` that meet.'),
    their_lines: lines,
    areas: z.array(z.string()),
    issues: z.array(z.int()),
    actor: z.string(),
    stranger: z.boolean().describe('A pull request from outside: it is no reason to wait.'),
    branch: z.string().nullable(),
    number: z.int().nullable().describe('Of its pull request.'),
    pr_url: z.string().nullable(),
    head_sha: z.string().nullable().describe('The commit that a merge can be tried with.'),
    source: z.enum(activitySources),
    changes_only: z.boolean().describe('Whether nothing but changes made it meet: a merge that succeeds settles it.'),
    began_at: instant,
    text: z.string(),
  })
  .meta({ id: 'Met' })
export type Met = z.infer<typeof Met>

export const MatchedNotable = z
  .object({
    id: z.string(),
    severity,
    title: z.string(),
    importance: z.enum(levels),
    blocking: z.boolean(),
    until: instant.describe('The earlier of `expires_at` and `applies_until`.'),
    about: z.enum(['repository', 'scope']),
    text: z.string(),
  })
  .meta({ id: 'MatchedNotable' })
export type MatchedNotable = z.infer<typeof MatchedNotable>

const Observed = z
  .object({
    pull_requests: z.enum(readingStates),
    as_of: instant.nullable().describe('When they were read last.'),
    unread: z.int().describe('Open pull requests whose files are not read.'),
  })
  .meta({ id: 'Observed', description: 'How far the open pull requests are read.' })

const ReuseOpportunity = z
  .object({
    activity_id: z.string(),
    title: z.string(),
    pr_url: z.string().nullable(),
    branch: z.string().nullable(),
    ended_at: instant,
    reason: z.string(),
  })
  .meta({ id: 'ReuseOpportunity', description: 'Work merged in the last 7 days that met the same.' })
export type ReuseOpportunity = z.infer<typeof ReuseOpportunity>

export const Overlap = z
  .object({
    overlap_detected: z.boolean(),
    severity: severity.nullable(),
    clear: z.boolean().describe('Whether nothing stands in the way: the one thing that "Go ahead" rests on.'),
    obstacles: z.array(z.enum(obstacles)).describe('Why it is not clear.'),
    reason: z.string().describe('For people: lines of plain words.'),
    recommended_action: z.string().describe('For people: lines of plain words.'),
    related_activity_ids: z.array(z.string()),
    related_notable_ids: z.array(z.string()),
    repository_notable_ids: z.array(z.string()).describe('To keep in mind everywhere, and no overlap.'),
    expected_activity_ids: z.array(z.string()).describe('Your own and stacked work, which never counts.'),
    relationships: z.record(z.string(), z.enum(relationships)),
    collisions: z.array(Met),
    nearby: z.array(Met),
    nearby_count: z.int(),
    notables: z.array(MatchedNotable),
    observed: Observed,
    reuse_opportunities: z.array(ReuseOpportunity),
  })
  .meta({ id: 'Overlap', description: 'Advice, never a lock.' })
export type Overlap = z.infer<typeof Overlap>

export const Pair = z
  .object({
    activity_ids: z.array(z.string()).length(2).describe('The newer, the older.'),
    severity,
    by: z.enum(meetingKinds),
    example_path: z.string().nullable(),
    lines: lines.describe('Of the newer.'),
    their_lines: lines.describe('Of the older.'),
    areas: z.array(z.string()),
    issues: z.array(z.int()),
    stranger: z.boolean().describe('Whether one of the two is a pull request from outside.'),
    text: z.string(),
  })
  .meta({ id: 'Pair' })
export type Pair = z.infer<typeof Pair>

export const Collisions = z.object({
  items: z.array(Pair),
  truncated: z.boolean().describe('Whether there may be more.'),
})
export type Collisions = z.infer<typeof Collisions>

/** With what is not read: without it nobody could say that nothing collides. */
export const CollisionsAnswer = Collisions.extend({ observed: Observed }).meta({ id: 'Collisions' })
export type CollisionsAnswer = z.infer<typeof CollisionsAnswer>

export const CollisionsQuery = z.strictObject({
  activity_id: text({ min: 1, max: 100 }).optional().describe('Only the pairs of this activity.'),
})
