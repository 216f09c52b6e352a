import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defaultIgnoredAuthors, defaultIgnoredPaths, matchesAny } from '../../../src/core/changes/ignored.ts'
import { fileStatuses } from '../../../src/core/changes/schema.ts'
import { isStranger } from '../../../src/core/rules/author.ts'
import { comparableWork } from '../../../src/core/rules/changed/changed-work.ts'
import { compareAll } from '../../../src/core/rules/compare-all.ts'
import { issuesInCommon } from '../../../src/core/rules/duplicates/issues-in-common.ts'
import { isAboutPlaces, matchNotables } from '../../../src/core/rules/matching-notables.ts'
import { escapeGlob } from '../../../src/core/scope/glob/escape.ts'
import { unlimitedBudget } from '../../../src/core/scope/match/work-budget.ts'
import { parseScope, readGlobs } from '../../../src/core/scope/parse-scope.ts'
import { findCollidingPulls } from '../../../src/service/report/colliding-pulls.ts'
import { reportNotables } from '../../../src/service/report/report-notables.ts'
import { reportOf } from '../../../src/service/report/report-text.ts'
import { runToEnd } from '../../support/compare-scopes.ts'
import { activityOf, comparisonOf, notableOf, now } from '../overlap/candidates-of.ts'

/**
 * Each folder is an example: the pull request and the others that are open (`_pulls.json`), and the check run as a person reads
 * it (`report.md`). After a change of wording, `npx vitest run --project unit report/stories -u` rewrites them: review them.
 */
const folder = new URL('../../fixtures/report/', import.meta.url)
const stories = readdirSync(folder)

const range = z.tuple([z.int(), z.int()])
const File = z.strictObject({
  path: z.string(),
  previous_path: z.string().nullable().default(null),
  status: z.enum(fileStatuses).default('modified'),
  lines: z.array(range).nullable().default(null),
  blob: z.string().nullish(),
})
const Pull = z.strictObject({
  number: z.int(),
  author: z.string(),
  association: z.string().default('MEMBER'),
  branch: z.string().default('feat'),
  is_fork: z.boolean().default(false),
  pushed_hours_ago: z.number().default(2),
  files_total: z.int().optional(),
  blocking: z.boolean().default(false),
  issues: z.array(z.int()).default([]),
  files: z.array(File),
})
const Notable = z.strictObject({
  title: z.string(),
  category: z.string().default('process'),
  importance: z.string().default('medium'),
  blocking: z.boolean().default(false),
  author_login: z.string().nullable().default('alice'),
  applies_until: z.coerce.date().nullable().default(null),
  areas: z.array(z.string()).default([]),
  paths: z.array(z.string()).default([]),
})
const Story = z.strictObject({
  is_public: z.boolean().default(true),
  own: Pull,
  others: z.array(Pull).default([]),
  base: z.string().default('main'),
  not_compared: z.enum(['dirty', 'no files', 'put aside']).nullable().default(null),
  merged: z.array(z.strictObject({ number: z.int(), login: z.string() })).default([]),
  unread: z.int().default(0),
  partly_listed: z.int().default(0),
  is_partly_listed: z.boolean().default(false),
  ignored_files: z.int().default(0),
  areas: z.record(z.string(), z.array(z.string())).default({}),
  notables: z.array(Notable).default([]),
})
type Pull = z.infer<typeof Pull>

/** A login has the same account in all of a story. */
const idOf = (login: string) => BigInt(1 + [...login].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7))

function workOf({ author, files, files_total = files.length }: Pull, base: string) {
  const commits = new Set<string>()
  return comparableWork({ baseBranch: base, author, headSha: null, commits, files, filesTotal: files_total })
}

function activityOfPull(pull: Pull, base: string) {
  const { number, author, association, branch, is_fork, pushed_hours_ago, blocking, issues } = pull
  return activityOf({
    ...{ title: `A title of ${author}, which is in no report`, actor: author, branch, base_branch: base, blocking },
    ...{ source: 'pull_request', is_declared: false, pr_number: number, author_login: author },
    author_id: idOf(author),
    pull: { number, is_fork, head_ref: branch, head_sha: `sha-${number}`, association },
    seen_at: new Date(now.getTime() - pushed_hours_ago * 3_600_000),
    issues: { stated: issues, guessed: [] },
    changed: workOf(pull, base),
  })
}

async function met({ own, areas, notables, is_public }: z.infer<typeof Story>) {
  const paths = own.files.map(({ path }) => escapeGlob(path))
  const comparison = comparisonOf({
    proposed: parseScope({ areas: [], paths }, areas),
    parse: (scope) => parseScope(scope, areas),
  })
  const loaded = notables.map(notableOf)
  const overlaps = await compareAll([], loaded.filter(isAboutPlaces), comparison)
  return reportNotables(matchNotables(loaded, overlaps), is_public)
}

describe('the check run', () => {
  it.each(stories)('%s', async (story) => {
    const json: unknown = JSON.parse(readFileSync(new URL(`${story}/_pulls.json`, folder), 'utf8'))
    const given = Story.parse(json)
    const { own, others, base, not_compared: notCompared, merged, unread, ignored_files, is_public: isPublic } = given
    const { partly_listed: partlyListed, is_partly_listed: isPartlyListed } = given
    const ignored = readGlobs(defaultIgnoredPaths)
    const works = others.map((pull) => activityOfPull(pull, base))
    const head = { source: 'pull_request', pull: own }
    const counting = {
      ...{ ignoredAuthors: defaultIgnoredAuthors, maxFiles: 100 },
      ...{ isIgnored: (path: string) => matchesAny(path, ignored), hot: new Map() },
    }
    const comparison = comparisonOf({
      ...{ counting, isPublic, author: own.author, isMinor: isStranger(head, isPublic) },
      issues: { stated: own.issues, guessed: [] },
    })
    const pulls = {
      ours: workOf(own, base),
      issues: issuesInCommon(works, comparison),
      authorId: idOf(own.author),
      ...{ counting, isPublic, now },
      staleAfterMs: 30 * 86_400_000,
    }
    const found = runToEnd(findCollidingPulls(works, pulls, unlimitedBudget()))
    const pageUrl = 'https://headsup.example/acme/app'
    const facts = {
      ...found,
      isByStranger: isStranger(head, isPublic),
      base,
      notCompared,
      merged,
      unread,
      partlyListed,
      isPartlyListed,
      ignoredFiles: ignored_files,
      notables: await met(given),
      pageUrl,
    }
    const { conclusion, title, summary } = reportOf(facts)
    expect(summary).not.toContain('A title of')
    expect(Array.from(title).length).toBeLessThanOrEqual(255)
    await expect(`${conclusion}\n\n# ${title}\n\n${summary}\n`).toMatchFileSnapshot(
      new URL(`${story}/report.md`, folder).pathname,
    )
  })

  it('has at least ten examples', () => expect(stories.length).toBeGreaterThanOrEqual(10))
})
