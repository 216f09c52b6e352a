import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { FileChange } from '../../src/core/changes/file-change.ts'
import { githubFileChange } from '../../src/core/changes/github-file.ts'
import { defaultIgnoredAuthors, defaultIgnoredPaths } from '../../src/core/changes/ignored.ts'

/** A folder is a case: what two pieces of work change, and how the one sees the other. */
const folder = new URL('../fixtures/observation/', import.meta.url)

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
const Side = z.strictObject({
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
const severity = z.enum(['low', 'medium', 'high']).nullable()
const Result = z
  .strictObject({
    severity,
    files: z.array(
      z.strictObject({
        path: z.string(),
        severity,
        proximity: z.string(),
        distance: z.int().nullable(),
        lines: range.nullable(),
        their_lines: range.nullable(),
      }),
    ),
  })
  .nullable()

export interface ObservedSide extends Omit<z.infer<typeof Side>, 'files'> {
  files: FileChange[]
}

export interface ObservationCase {
  name: string
  ours: ObservedSide
  theirs: ObservedSide
  rules: z.infer<typeof Rules>
  result: z.infer<typeof Result>
}

function read(file: string, missing: unknown): unknown {
  const url = new URL(file, folder)
  return existsSync(url) ? JSON.parse(readFileSync(url, 'utf8')) : missing
}

export function observationCases(): ObservationCase[] {
  return readdirSync(folder).map((name) => ({
    name,
    ours: Side.parse(read(`${name}/ours.json`, null)),
    theirs: Side.parse(read(`${name}/theirs.json`, null)),
    rules: Rules.parse(read(`${name}/rules.json`, {})),
    result: Result.parse(read(`${name}/result.json`, null)),
  }))
}
