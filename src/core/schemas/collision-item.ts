import { z } from 'zod'
import { activitySources, sameChangeKinds, severities } from '../enums.ts'

const ranges = z.array(z.tuple([z.int(), z.int()])).nullable()

/** What the order and the advice go by, besides the fields of every collision (docs/rules.md#merge-candidates). */
const CollisionBasis = z.object({
  stale: z.boolean().describe('Whether it is a pull request without a push for long.'),
  pr_number: z.int().nullable().describe('The number of its pull request, if that is of this repository.'),
  title: z.string().nullable().describe('Of recorded work alone.'),
  build_on: z.string().nullable().describe('The branch that your work may build on.'),
  earlier: z.boolean().describe('Whether it began before your own work. A proposal without a record has not begun.'),
  same_change: z
    .object({ kind: z.enum(sameChangeKinds), severity: z.enum(severities) })
    .nullable()
    .describe('Which of the two is the same change as the other, or a part of it, and how much that counts.'),
})
export type CollisionBasis = z.infer<typeof CollisionBasis>

/** A collision that `reason` describes, as data (docs/rules.md#overlap-fields). */
export const CollisionItem = z.object({
  activity_id: z.string(),
  severity: z.enum(severities),
  example_path: z.string().nullable().describe('A file that both name or change; `null` if only areas are shared.'),
  areas: z.array(z.string()).describe('The areas that both name.'),
  issues: z.array(z.int()).describe('The issues that both mean to close, as far as they count.'),
  lines: ranges.describe('The changed lines of the proposal in that file; `null` if they are not known.'),
  their_lines: ranges.describe('The changed lines of the other work in that file; `null` if they are not known.'),
  since: z.iso.datetime().describe('When the other work began.'),
  pr_url: z.string().nullable(),
  actor: z.string(),
  agent: z.string().nullable().describe('The coding agent that does the work.'),
  branch: z.string().nullable().describe('`null` also for pull requests of authors outside of the project.'),
  source: z.enum(activitySources),
  same_change: z
    .boolean()
    .optional()
    .describe('`true` where it is the same change as the proposal, or one is a part of the other; else absent.'),
  own: z.boolean().optional().describe('`true` for other work of your account; else absent.'),
  outside: z.boolean().optional().describe('`true` for a pull request from outside of the project; else absent.'),
  basis: CollisionBasis.optional().describe('What the order and the advice go by besides; only beside `candidates`.'),
})
export type CollisionItem = z.infer<typeof CollisionItem>

/** Work whose merge with the proposal the client may try (docs/rules.md#merge-candidates). */
export const CandidateItem = CollisionItem.extend({
  severity: z.enum(severities).nullable().describe('By changed lines; `null` where it is only nearby.'),
  basis: CollisionBasis,
  number: z.int().nullable().describe('Of its pull request.'),
  branch: z.string().nullable().describe('Its pushed branch; `null` where it has a pull request.'),
  head_sha: z.string().nullable().describe('The head that GitHub showed last.'),
  base_branch: z.string().nullable(),
  distance: z.int().nullable().describe('Lines from yours to theirs; `null` where that is not known.'),
  severity_without_lines: z
    .enum(severities)
    .nullable()
    .describe('What shared areas, named paths, issues and the same change give; `null` where they give nothing.'),
  severity_limit: z.enum(severities).nullable().describe('The most that wide work counts.'),
  grave: z.boolean().describe('Whether it is `blocking` or of high risk.'),
  ignored_author: z.boolean(),
  hides_words: z.boolean().describe('Whether no text may name a path that its head alone has.'),
  has_unpushed_lines: z.boolean().describe('Whether some of its lines are not in the head.'),
  files: z
    .array(z.object({ path: z.string(), previous_path: z.string().nullable(), ignored: z.boolean() }))
    .nullable()
    .describe('The files that both change; `null` where not all are known, or more than 100.'),
})
export type CandidateItem = z.infer<typeof CandidateItem>
