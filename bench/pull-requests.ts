import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { z } from 'zod'
import { defaultIgnoredPaths, matchesAny } from '../src/core/changes/ignored.ts'
import type { ChangedWork } from '../src/core/rules/changed/changed-work.ts'
import { readGlobs } from '../src/core/scope/parse-scope.ts'

export const ignoredByDefault = readGlobs(defaultIgnoredPaths)

/** Two pull requests, as `12 34`. */
export type Pair = string

/** What was open in one repository on one day, and what of it conflicts. */
export interface Repository {
  name: string
  /** The newest commit of the default branch. */
  tip: string
  pullRequests: readonly PullRequest[]
  /** Those that still merge into the default branch. Only between these are conflicts known. */
  mergeable: readonly PullRequest[]
  /** `isCounted`: in a path that is not ignored by default. */
  conflicts: readonly { pair: Pair; isCounted: boolean }[]
}

export interface PullRequest extends z.infer<typeof PullRequestData> {
  work: ChangedWork
}

const pair = z.tuple([z.int(), z.int()])
const PullRequestData = z.object({
  number: z.int(),
  author: z.int(),
  bot: z.boolean(),
  base: z.string(),
  head_sha: z.string(),
  base_conflicts: z.array(z.string()).default([]),
  files: z.array(
    z.object({
      path: z.string(),
      previous_path: z.string().nullable().default(null),
      status: z.enum(['added', 'modified', 'removed', 'renamed']),
      ranges: z.array(z.tuple([z.int(), z.int()])).default([]),
      /** Only of files that another pull request leaves with the same content. */
      blob: z.string().nullable().optional(),
    }),
  ),
})
const Data = z.object({
  repository: z.string(),
  tip_sha: z.string(),
  pull_requests: z.array(PullRequestData),
  conflicts_at_tip: z.array(z.object({ pair, paths: z.array(z.string()) })),
  stacked: z.array(pair),
})

/** The three repositories of `bench/open-prs/`, which is `directory`. */
export function readRepositories(directory: URL): Repository[] {
  return ['undici', 'fastify', 'rails'].map((name) => readRepository(new URL(`${name}.json.br`, directory)))
}

/** Reads a file of data: JSON, compressed where its name ends in `.br`. */
export function readRepository(file: URL): Repository {
  const bytes = readFileSync(file)
  const text = (file.pathname.endsWith('.br') ? brotliDecompressSync(bytes) : bytes).toString('utf8')
  const { repository, tip_sha, pull_requests, conflicts_at_tip, stacked } = Data.parse(JSON.parse(text))
  const heads = new Map(pull_requests.map(({ number, head_sha }) => [number, head_sha]))
  const pullRequests = pull_requests.map((given): PullRequest => {
    const partners = stacked.filter((numbers) => numbers.includes(given.number)).flat()
    return { ...given, work: workOf(given, new Set(partners.flatMap((number) => heads.get(number) ?? []))) }
  })
  return {
    name: repository.replace(/^.*\//, ''),
    tip: tip_sha,
    pullRequests,
    mergeable: pullRequests.filter(({ base_conflicts }) => base_conflicts.length === 0),
    conflicts: conflicts_at_tip.map(({ pair: [a, b], paths }) => ({
      pair: pairOf(a, b),
      isCounted: paths.some((path) => !matchesAny(path, ignoredByDefault)),
    })),
  }
}

export function pairOf(a: number, b: number): Pair {
  return `${Math.min(a, b)} ${Math.max(a, b)}`
}

/** The pull request as the product sees it. In the data no ranges mean that lines are not known, and every bot is ignored. */
function workOf(
  { author, bot, base, head_sha, files }: z.infer<typeof PullRequestData>,
  commits: ReadonlySet<string>,
): ChangedWork {
  return {
    baseBranch: base,
    author: bot ? 'dependabot[bot]' : `author-${author}`,
    headSha: head_sha,
    commits,
    filesTotal: files.length,
    files: files.map(({ ranges, ...file }) => ({ ...file, lines: ranges.length === 0 ? null : ranges })),
  }
}
