import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isId } from '../../../src/lib/ids.ts'
import { evaluate } from '../../../src/overlap/evaluate.ts'
import { workBudget } from '../../../src/scope/match/work-budget.ts'
import { parseScope } from '../../../src/scope/parse-scope.ts'
import { candidatesOf } from './candidates-of.ts'

/**
 * Each folder is an example: the records of a repository (`_candidates.json`), the proposal (`_proposal.json`), and the response
 * (`result.json`). After a change of wording, `npx vitest run --project unit stories -u` rewrites the responses: review them.
 */
const folder = new URL('../../fixtures/overlap/', import.meta.url)
const stories = readdirSync(folder)
const labels = z.array(z.string()).default([])
const scope = { areas: labels, paths: labels }
const branch = z.string().nullable().default(null)
const Activity = z.strictObject({
  id: z.string().refine((id) => isId('act', id)),
  title: z.string(),
  actor: z.string(),
  agent: z.string().nullable().default(null),
  status: z.string().default('active'),
  branch,
  base_branch: branch,
  risk: z.string().default('low'),
  blocking: z.boolean().default(false),
  ...scope,
})
const Notable = z.strictObject({
  id: z.string().refine((id) => isId('ntb', id)),
  title: z.string(),
  importance: z.string().default('medium'),
  blocking: z.boolean().default(false),
  ...scope,
})
const Merged = Activity.pick({ id: true, title: true, actor: true, branch: true, areas: true, paths: true }).extend({
  pr_url: z.string().nullable().default(null),
  ended_at: z.coerce.date(),
})
const Ended = z.strictObject({
  id: z.string(),
  status: z.string(),
  archived_reason: z.string().nullable().default(null),
})
const Candidates = z.strictObject({
  default_branch: z.string().default('main'),
  areas: z.record(z.string(), z.array(z.string())).default({}),
  activities: z.array(Activity).default([]),
  notables: z.array(Notable).default([]),
  merged: z.array(Merged).default([]),
  /** The caller's own activity, if it has ended. */
  ended: Ended.optional(),
})
const Proposal = z.strictObject({ branch, base_branch: branch, tags: labels, ...scope })

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'))

describe('overlap examples', () => {
  it.each(stories)('%s', async (story) => {
    const {
      default_branch: defaultBranch,
      activities,
      notables,
      merged,
      ended,
      areas,
    } = Candidates.parse(read(`${story}/_candidates.json`))
    const { tags, ...proposal } = Proposal.parse(read(`${story}/_proposal.json`))
    const parse = (given: { areas: string[]; paths: string[] }) => parseScope(given, areas)
    const proposed = parse({ areas: [...proposal.areas, ...tags], paths: proposal.paths })
    const candidates = candidatesOf({
      defaultBranch,
      stack: activities,
      candidates: activities,
      notables,
      merged,
      ended,
    })
    const result = await evaluate(proposal, candidates, { proposed, parse, work: workBudget() })
    await expect(`${JSON.stringify(result, null, 2)}\n`).toMatchFileSnapshot(
      new URL(`${story}/result.json`, folder).pathname,
    )
  })

  it('number at least 40', () => expect(stories.length).toBeGreaterThanOrEqual(40))
})
