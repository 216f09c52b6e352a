import { z } from 'zod'
import { objectId } from '../../../core/changes/object-id.ts'
import { issuesClosedBy } from '../../observed/closing-keywords.ts'
import type { PullRequestFacts, PullRequestState } from '../../observed/pull-requests/pull-request.ts'
import { id, instant, number, ref, word } from '../payload-fields.ts'

export const sha = z.string().regex(objectId)
/** The name of a branch that is observed: git allows no control characters in it. */
export const observedRef = z
  .string()
  .min(1)
  .max(255)
  .regex(/^\P{Cc}+$/u)
const login = z.string().min(1).max(100)
const owner = z.object({ login }).nullish().catch(null)
/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const text = z.string().transform((value) => value.toWellFormed().replaceAll('\0', ' '))

/**
 * A pull request as GitHub lists it, shows it and sends it with webhooks. A hand-made event may have little more than a number
 * and a head. Unknown fields are ignored.
 */
export const PullRequestPayload = z.object({
  number,
  state: z.enum(['open', 'closed']).optional().catch(undefined),
  title: text.pipe(z.string().max(2_000)).catch(''),
  body: z.string().nullish().catch(null),
  html_url: z.string().optional().catch(undefined),
  draft: z.boolean().catch(false),
  user: z
    .object({ id: z.int().positive().transform(BigInt), login })
    .nullable()
    .catch(null),
  author_association: z.string().min(1).max(50).catch('NONE'),
  created_at: instant,
  updated_at: instant,
  closed_at: instant,
  merged: z.boolean().nullish().catch(null),
  merged_at: instant,
  head: z.object({
    ref,
    sha: sha.optional().catch(undefined),
    user: owner,
    repo: z.object({ id, full_name: word, owner }).nullish(),
  }),
  base: z
    .object({ ref: word, repo: z.object({ id, full_name: word }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  changed_files: z.int().nonnegative().nullish().catch(null),
})
export type PullRequestPayload = z.infer<typeof PullRequestPayload>

/** The repository of a pull request: its id, and what the payload says of it. */
export interface RepositoryOfPull {
  id: bigint
  payload: { id?: bigint | undefined; full_name?: string | undefined }
}

/** Where a pull request stands. Whether it was merged is what `merged` says, and without one whether it has a `merged_at`. */
export function pullRequestState(pull: PullRequestPayload, repository: RepositoryOfPull): PullRequestState {
  const { number, merged, merged_at, closed_at, head, base } = pull
  const state = (merged ?? merged_at !== null) ? 'merged' : (pull.state ?? 'open')
  return {
    number,
    state,
    headRef: head.ref,
    headRepositoryId: headRepositoryId(head, repository),
    baseRef: base?.ref ?? null,
    endedAt: state === 'open' ? null : (merged_at ?? closed_at),
  }
}

/** The repository of the head. One that the payload does not name is that of the pull request; ids decide before names. */
function headRepositoryId({ repo }: PullRequestPayload['head'], { id, payload }: RepositoryOfPull): bigint | null {
  if (repo === undefined) return id
  if (repo === null) return null
  if (repo.id !== undefined && payload.id !== undefined) return repo.id === payload.id ? id : repo.id
  const isSame = repo.full_name?.toLowerCase() === payload.full_name?.toLowerCase()
  return isSame && repo.full_name !== undefined ? id : null
}

/** All that observed work needs to know; null if the payload lacks a part of it, or is about another repository. */
export function pullRequestFacts(pull: PullRequestPayload, repository: RepositoryOfPull): PullRequestFacts | null {
  const { state, head, base, created_at: openedAt, updated_at: updatedAt } = pull
  const isWhole =
    state !== undefined && observedRef.safeParse(head.ref).success && observedRef.safeParse(base?.ref).success
  if (!isWhole || base?.repo?.id !== repository.id) return null
  if (base.ref === undefined || head.sha === undefined || openedAt === null || updatedAt === null) return null
  return {
    ...pullRequestState(pull, repository),
    title: pull.title,
    draft: pull.draft,
    headSha: head.sha,
    headOwner: head.repo?.owner?.login ?? head.user?.login ?? null,
    baseRef: base.ref,
    author: pull.user,
    authorAssociation: pull.author_association,
    openedAt,
    updatedAt,
    issues: closedIssues(pull, base.repo.full_name),
  }
}

/** The issues of this repository that the pull request closes. GitHub's web address is the beginning of `html_url`, before the name of the repository. */
function closedIssues({ title, body = null, html_url = '' }: PullRequestPayload, fullName = ''): number[] {
  const [owner = '', name = ''] = fullName.split('/')
  const serverUrl = html_url.toLowerCase().split(`/${fullName.toLowerCase()}/pull/`)[0] ?? ''
  return issuesClosedBy({ title, body }, { owner, name, serverUrl })
}

export interface ParsedPullRequest {
  /** GitHub's id of the repository that it was opened in. */
  repositoryId: bigint
  facts: PullRequestFacts
  /** How many files it changes; null in a list, which does not say it. */
  filesTotal: number | null
}

const WholePullRequest = PullRequestPayload.transform((pull, context): ParsedPullRequest => {
  const repositoryId = pull.base?.repo?.id
  const facts =
    repositoryId === undefined ? null : pullRequestFacts(pull, { id: repositoryId, payload: pull.base?.repo ?? {} })
  if (repositoryId !== undefined && facts !== null)
    return { repositoryId, facts, filesTotal: pull.changed_files ?? null }
  context.addIssue({ code: 'custom', message: 'it lacks a field that GitHub sends' })
  return z.NEVER
})

/** Parses a pull request of GitHub. Throws a `ZodError` for another shape. */
export function parsePullRequest(body: unknown): ParsedPullRequest {
  return WholePullRequest.parse(body)
}

/** Parses a page of pull requests. One that can't be read is left out. Throws a `ZodError` if none can. */
export function parsePullRequests(body: unknown): ParsedPullRequest[] {
  const items = z.array(z.unknown()).max(100).parse(body)
  const read = items.flatMap((item) => WholePullRequest.safeParse(item).data ?? [])
  return read.length === 0 ? items.map(parsePullRequest) : read
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
  sha: sha.optional().catch(undefined),
})

/** Parses a page of the files of a pull request. Throws a `ZodError` for another shape. */
export function parseFiles(body: unknown) {
  return z.array(PullRequestFile).max(100).parse(body)
}

const committer = z.object({ date: instant }).nullish().catch(null)
const PullRequestCommit = z.object({ sha, commit: z.object({ committer }) })

/** Parses a page of the commits of a pull request. Throws a `ZodError` for another shape. */
export function parseCommits(body: unknown) {
  const commits = z.array(PullRequestCommit).max(100).parse(body)
  return commits.map(({ sha, commit }) => ({ sha, committedAt: commit.committer?.date ?? null }))
}
