import { z } from 'zod'
import type { PullRequestFacts } from '../../observed/pull-request.ts'

const id = z.int().positive().transform(BigInt)
export const sha = z.string().regex(/^[0-9a-f]{40,64}$/)
/** Git allows no control characters in the name of a branch. */
export const ref = z
  .string()
  .min(1)
  .max(255)
  .regex(/^\P{Cc}+$/u)
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))
const absentInstant = instant.nullish().catch(null)
const login = z.string().min(1).max(100)
const owner = z.object({ login }).nullish().catch(null)
/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const text = z.string().transform((value) => value.toWellFormed().replaceAll('\0', ' '))

/** A pull request as GitHub lists it, shows it and sends it with webhooks. Unknown fields are ignored. */
const PullRequestPayload = z.object({
  number: z.int().positive().max(2_147_483_647),
  state: z.enum(['open', 'closed']),
  title: text.pipe(z.string().max(2_000)).catch(''),
  draft: z.boolean().catch(false),
  user: z.object({ id, login }).nullable().catch(null),
  author_association: z.string().min(1).max(50).catch('NONE'),
  created_at: instant,
  updated_at: instant,
  closed_at: absentInstant,
  merged: z.boolean().nullish().catch(null),
  merged_at: absentInstant,
  head: z.object({ ref, sha, user: owner, repo: z.object({ id, owner }).nullish() }),
  base: z.object({ ref, repo: z.object({ id }) }),
  changed_files: z.int().nonnegative().nullish().catch(null),
})

/**
 * Whether a pull request was merged (docs/rules.md#merged-pull-requests): as its `merged` says. GitHub's lists have no
 * `merged`; there `merged_at` says it.
 */
export function isMerged(pull: { merged?: boolean | null | undefined; merged_at?: Date | null | undefined }): boolean {
  return pull.merged ?? Boolean(pull.merged_at)
}

export interface ParsedPullRequest {
  /** GitHub's id of the repository that it was opened in. */
  repositoryId: bigint
  facts: PullRequestFacts
  /** How many files it changes; null in a list, which does not say it. */
  filesTotal: number | null
}

/** Parses a pull request of GitHub. Throws a `ZodError` for another shape. */
export function parsePullRequest(body: unknown): ParsedPullRequest {
  const { head, base, user, merged, merged_at, closed_at, ...pull } = PullRequestPayload.parse(body)
  const state = isMerged({ merged, merged_at }) ? 'merged' : pull.state
  return {
    repositoryId: base.repo.id,
    filesTotal: pull.changed_files ?? null,
    facts: {
      number: pull.number,
      state,
      title: pull.title,
      draft: pull.draft,
      headSha: head.sha,
      headRef: head.ref,
      headRepositoryId: head.repo?.id ?? null,
      headOwner: head.repo?.owner?.login ?? head.user?.login ?? null,
      baseRef: base.ref,
      author: user,
      authorAssociation: pull.author_association,
      openedAt: pull.created_at,
      updatedAt: pull.updated_at,
      endedAt: state === 'open' ? null : (merged_at ?? closed_at ?? null),
    },
  }
}

/** Parses a page of pull requests. One that can't be read is left out. Throws a `ZodError` if none can. */
export function parsePullRequests(body: unknown): ParsedPullRequest[] {
  const items = z.array(z.unknown()).max(100).parse(body)
  const read = items.filter((item) => PullRequestPayload.safeParse(item).success)
  return (read.length === 0 ? items : read).map(parsePullRequest)
}

const path = text.pipe(z.string().min(1).max(4_096))
const count = z.int().nonnegative()

/** A file as GitHub lists it for a pull request and in a comparison. */
export const PullRequestFile = z.object({
  filename: path,
  previous_filename: path.optional().catch(undefined),
  status: z.string(),
  additions: count,
  deletions: count,
  patch: z.string().optional().catch(undefined),
})

/** Parses a page of the files of a pull request. Throws a `ZodError` for another shape. */
export function parseFiles(body: unknown) {
  return z.array(PullRequestFile).max(100).parse(body)
}

const committer = z.object({ date: absentInstant }).nullish().catch(null)
const PullRequestCommit = z.object({ sha, commit: z.object({ committer }) })

/** Parses a page of the commits of a pull request. Throws a `ZodError` for another shape. */
export function parseCommits(body: unknown) {
  const commits = z.array(PullRequestCommit).max(100).parse(body)
  return commits.map(({ sha, commit }) => ({ sha, committedAt: commit.committer?.date ?? null }))
}
