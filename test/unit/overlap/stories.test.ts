import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defaultIgnoredAuthors, defaultIgnoredPaths, matchesAny } from '../../../src/core/changes/ignored.ts'
import { fileStatuses } from '../../../src/core/changes/schema.ts'
import { comparableWork } from '../../../src/core/rules/changed/changed-work.ts'
import { namedPaths } from '../../../src/core/rules/changed/compare-names.ts'
import { escapeGlob } from '../../../src/core/scope/glob/escape.ts'
import { parseScope, readGlobs } from '../../../src/core/scope/parse-scope.ts'
import { isId } from '../../../src/service/lib/ids.ts'
import { activityOf, candidatesOf, comparisonOf, evaluate, notableOf, now } from './candidates-of.ts'

/**
 * Each folder is an example: the records of a repository (`_candidates.json`), the proposal (`_proposal.json`), and the response
 * (`result.json`). After a change of wording, `npx vitest run --project unit stories -u` rewrites the responses: review them.
 */
const folder = new URL('../../fixtures/overlap/', import.meta.url)
const stories = readdirSync(folder)
const labels = z.array(z.string()).default([])
const scope = { areas: labels, paths: labels }
const branch = z.string().nullable().default(null)
const range = z.tuple([z.int(), z.int()])
const File = z.strictObject({
  path: z.string(),
  previous_path: z.string().nullable().default(null),
  status: z.enum(fileStatuses).default('modified'),
  lines: z.array(range).nullable().default(null),
})
const Changes = z.strictObject({
  head_sha: z.string().nullable().default(null),
  commits: labels,
  files_total: z.int().optional(),
  files: z.array(File),
})
const minutes = z.number().optional()
const Pull = z.strictObject({
  number: z.int(),
  is_fork: z.boolean().default(false),
  head_ref: z.string().default('head'),
  head_sha: z.string().default('a1'),
  association: z.string().default('MEMBER'),
})
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
  source: z.string().default('recorded'),
  is_declared: z.boolean().optional(),
  author_id: z.coerce.bigint().nullable().default(null),
  began_minutes_ago: minutes,
  seen_minutes_ago: minutes,
  pull: Pull.nullable().default(null),
  changes: Changes.nullable().default(null),
  ...scope,
})
const Notable = z.strictObject({
  id: z.string().refine((id) => isId('ntb', id)),
  title: z.string(),
  importance: z.string().default('medium'),
  blocking: z.boolean().default(false),
  author_login: z.string().nullable().default(null),
  applies_until: z.coerce.date().nullable().default(null),
  ...scope,
})
const Merged = Activity.extend({ pr_url: z.string().nullable().default(null), ended_at: z.coerce.date() })
const Ended = z.strictObject({
  id: z.string(),
  status: z.string(),
  archived_reason: z.string().nullable().default(null),
})
const Candidates = z.strictObject({
  default_branch: z.string().default('main'),
  is_public: z.boolean().default(true),
  areas: z.record(z.string(), z.array(z.string())).default({}),
  activities: z.array(Activity).default([]),
  notables: z.array(Notable).default([]),
  merged: z.array(Merged).default([]),
  /** The caller's own activity, if it has ended. */
  ended: Ended.optional(),
  observed: z.enum(['current', 'reading', 'stale', 'unavailable', 'off']).default('off'),
  as_of_minutes_ago: minutes,
  unread: z.int().default(0),
  unread_branches: z.int().optional(),
  partly_listed: labels,
  partly_listed_pulls: z.array(z.strictObject({ number: z.int(), branch })).default([]),
  put_aside: z.strictObject({ count: z.int(), by: labels }).nullable().default(null),
  max_files: z.int().default(100),
  ignored_paths: z.array(z.string()).default([...defaultIgnoredPaths]),
  /** Hot files, for work on the default branch. */
  hot: labels,
})
const Proposal = z.strictObject({
  branch,
  base_branch: branch,
  tags: labels,
  ...scope,
  changes: Changes.nullable().default(null),
  began_minutes_ago: minutes,
  pull_number: z.int().nullable().default(null),
  account: z.strictObject({ id: z.coerce.bigint(), login: z.string() }).nullable().default(null),
})

const minutesAgo = (count: number) => new Date(now.getTime() - count * 60_000)

function workOf(baseBranch: string | null, author: string | null, changes: z.infer<typeof Changes> | null) {
  if (changes === null) return null
  const { head_sha, commits, files, files_total = files.length } = changes
  const known = { baseBranch, author, headSha: head_sha, commits: new Set(commits), files, filesTotal: files_total }
  return comparableWork(known)
}

function recordOf({ began_minutes_ago = 120, seen_minutes_ago, is_declared, ...given }: z.infer<typeof Activity>) {
  return activityOf({
    ...given,
    is_declared: is_declared ?? given.source === 'recorded',
    author_login: given.source === 'recorded' ? null : given.actor,
    pr_number: given.pull?.number ?? null,
    pr_url: given.pull ? `https://github.com/acme/app/pull/${given.pull.number}` : null,
    began_at: minutesAgo(began_minutes_ago),
    seen_at: seen_minutes_ago === undefined ? null : minutesAgo(seen_minutes_ago),
    changed: workOf(given.base_branch, given.actor, given.changes),
  })
}

const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, folder), 'utf8'))

describe('overlap examples', () => {
  it.each(stories)('%s', async (story) => {
    const repository = Candidates.parse(read(`${story}/_candidates.json`))
    const {
      default_branch: defaultBranch,
      notables,
      ended,
      areas,
      put_aside: putAside,
      partly_listed: partlyListed,
    } = repository
    const { tags, changes, account, began_minutes_ago, pull_number, ...proposal } = Proposal.parse(
      read(`${story}/_proposal.json`),
    )
    const parse = (given: { areas: string[]; paths: string[] }) => parseScope(given, areas)
    const changed = workOf(proposal.base_branch, account?.login ?? null, changes)
    const paths = [...proposal.paths, ...[...(changed?.byPath.keys() ?? [])].map(escapeGlob)]
    const activities = repository.activities.map(recordOf)
    const candidates = candidatesOf({
      ...{ defaultBranch, notables: notables.map(notableOf), putAside, partlyListed },
      stack: activities.map((work) => ({
        ...work,
        pull_number: work.source === 'recorded' ? undefined : (work.pull?.number ?? null),
      })),
      candidates: activities,
      merged: repository.merged.map(({ ended_at, pr_url, ...given }) => ({ ...recordOf(given), pr_url, ended_at })),
      observed: {
        pull_requests: repository.observed,
        as_of: repository.as_of_minutes_ago === undefined ? null : minutesAgo(repository.as_of_minutes_ago),
        unread: repository.unread,
        ...(repository.partly_listed_pulls.length === 0 ? {} : { partly_listed: repository.partly_listed_pulls }),
        ...(repository.unread_branches === undefined ? {} : { unread_branches: repository.unread_branches }),
      },
    })
    const ignored = readGlobs(repository.ignored_paths)
    const result = await evaluate(
      { ...proposal, ended },
      candidates,
      comparisonOf({
        own: began_minutes_ago === undefined ? undefined : { id: 'act_own', began_at: minutesAgo(began_minutes_ago) },
        proposed: parse({ areas: [...proposal.areas, ...tags], paths }),
        named: namedPaths(parse({ areas: [...proposal.areas, ...tags], paths: proposal.paths })),
        parse,
        changed,
        isPublic: repository.is_public,
        author: account?.login ?? null,
        identity: {
          ...{ branch: proposal.branch, defaultBranch, pullNumber: pull_number, account },
          ...{ headSha: changed?.work.headSha ?? null, commits: changed?.work.commits ?? new Set() },
        },
        counting: {
          ignoredAuthors: defaultIgnoredAuthors,
          maxFiles: repository.max_files,
          isIgnored: (path) => matchesAny(path, ignored),
          hot: new Map([[defaultBranch, new Set(repository.hot)]]),
        },
      }),
    )
    await expect(`${JSON.stringify(result, null, 2)}\n`).toMatchFileSnapshot(
      new URL(`${story}/result.json`, folder).pathname,
    )
  })

  it('number at least 40', () => expect(stories.length).toBeGreaterThanOrEqual(40))
})
