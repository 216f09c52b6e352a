import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { githubFileChange } from '../../../../src/changes/github-file.ts'
import { defaultIgnoredAuthors, defaultIgnoredPaths, matchesAny } from '../../../../src/changes/ignored.ts'
import { type ComparableWork, comparableWork } from '../../../../src/overlap/changed/changed-work.ts'
import { type ChangesOverlap, compareChanges } from '../../../../src/overlap/changed/compare-changes.ts'
import { readGlobs } from '../../../../src/scope/parse-scope.ts'

/** A folder is a case: what the two pieces of work change, and how the one sees the other. Each is asked both ways. */
const folder = new URL('../../../fixtures/observation/', import.meta.url)
const cases = readdirSync(folder)

const range = z.tuple([z.int(), z.int()])
const File = z.strictObject({
  path: z.string(),
  previous_path: z.string().nullable().default(null),
  status: z.enum(['added', 'modified', 'removed', 'renamed']),
  lines: z.array(range).nullable(),
})
const GitHubFile = z
  .strictObject({
    filename: z.string(),
    previous_filename: z.string().optional(),
    status: z.string(),
    additions: z.int(),
    deletions: z.int(),
    patch: z
      .array(z.string())
      .transform((lines) => lines.join('\n'))
      .optional(),
  })
  .transform(githubFileChange)
const Work = z.strictObject({
  base_branch: z.string().nullable().default('main'),
  author: z.string().nullable().default(null),
  head_sha: z.string().nullable().default(null),
  commits: z.array(z.string()).default([]),
  files_total: z.int().optional(),
  files: z.array(z.union([File, GitHubFile])),
})
const Rules = z.strictObject({
  ignored_paths: z.array(z.string()).default([...defaultIgnoredPaths]),
  ignored_authors: z.array(z.string()).default([...defaultIgnoredAuthors]),
  max_files: z.int().default(100),
  hot: z.array(z.string()).default([]),
})

function read(file: string): unknown {
  const url = new URL(file, folder)
  return existsSync(url) ? JSON.parse(readFileSync(url, 'utf8')) : {}
}

function workOf(file: string): ComparableWork {
  const { base_branch, author, head_sha, commits, files, files_total = files.length } = Work.parse(read(file))
  const work = { baseBranch: base_branch, author, headSha: head_sha, commits: new Set(commits), files }
  return comparableWork({ ...work, filesTotal: files_total })
}

function shown(overlap: ChangesOverlap | null, fromTheirs = false) {
  if (overlap === null) return null
  const files = overlap.files.map(({ path, severity, proximity, distance, lines, theirLines }) => {
    const [ours, theirs] = fromTheirs ? [theirLines, lines] : [lines, theirLines]
    return { path, severity, proximity, distance, lines: ours, their_lines: theirs }
  })
  return { severity: overlap.severity, files }
}

describe('changes against changes', () => {
  it.each(cases)('%s', (name) => {
    const { ignored_paths, ignored_authors, max_files, hot } = Rules.parse(read(`${name}/rules.json`))
    const ignored = readGlobs(ignored_paths)
    const rules = {
      ignoredAuthors: ignored_authors,
      isIgnored: (path: string) => matchesAny(path, ignored),
      maxFiles: max_files,
      isHot: (path: string) => hot.includes(path),
    }
    const [ours, theirs] = ['ours', 'theirs'].map((side) => workOf(`${name}/${side}.json`))
    if (!ours || !theirs) throw new Error('Each case has two sides')
    const result = read(`${name}/result.json`)
    expect(shown(compareChanges(ours, theirs, rules))).toEqual(result)
    expect(shown(compareChanges(theirs, ours, rules), true)).toEqual(result)
  })

  it('are sixty at least', () => expect(cases.length).toBeGreaterThanOrEqual(60))
})
