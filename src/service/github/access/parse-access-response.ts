import { z } from 'zod'
import { namesOfFullName } from '../../../core/repository-names.ts'
import { type GithubResponse, githubMessage, type ReceivedResponse } from '../github-response.ts'
import type { NoAnswer } from '../no-answer.ts'
import { isRateLimit, retryAfterSeconds } from '../rate-limits.ts'

/** A repository as GitHub shows it to a token, with its current name and default branch. */
export interface VisibleRepository {
  /** GitHub's numeric id, which records belong to. */
  id: bigint
  owner: string
  name: string
  defaultBranch: string
  /** Whether everybody can see it. */
  isPublic: boolean
  /** `owner/name` of the repository that it is a fork of, if this token sees that. */
  parent: string | null
}

/** Errors that any request with a token can meet. */
export type UpstreamError =
  | { kind: 'rejected' }
  | { kind: 'rate_limited'; retryAfterSeconds: number }
  | { kind: 'unavailable'; reason: string; noAnswer?: NoAnswer }

/** `push` is null if the response has no permissions. */
export interface Visible {
  kind: 'visible'
  repository: VisibleRepository
  push: boolean | null
  etag: string | null
}

export type RepositoryResult =
  | UpstreamError
  | Visible
  /** `message` is GitHub's, for the log; null for a 404. */
  | { kind: 'invisible'; message: string | null }
  /** `sso` is GitHub's header. It holds a URL for the caller, which must not be logged. */
  | { kind: 'sso_required'; sso: string }

export type WriteResult = UpstreamError | { kind: 'may_write' } | { kind: 'may_not_write' }

const maxId = 2n ** 63n - 1n

const repositorySchema = z.object({
  id: z
    .union([z.int(), z.bigint()])
    .transform(BigInt)
    .refine((id) => id > 0n && id <= maxId),
  full_name: z.string(),
  // Only `id` and `full_name` are required (docs/rules.md#github-failures).
  default_branch: z.string().min(1).catch('main'),
  private: z.boolean().catch(true),
  visibility: z.string().optional().catch('unknown'),
  parent: z.object({ full_name: z.string() }).nullable().catch(null),
  permissions: z
    .object({ push: z.boolean().optional(), maintain: z.boolean().optional(), admin: z.boolean().optional() })
    .nullable()
    .catch(null),
})

export function isUpstreamError(result: { kind: string }): result is UpstreamError {
  return ['rejected', 'rate_limited', 'unavailable'].includes(result.kind)
}

/**
 * Parses GitHub's response to `GET /repos/{owner}/{repo}` (docs/rules.md#github-rate-limits). `known` is the result that the
 * request's ETag came with; without one, a 304 is invalid. `now` is in ms since 1970.
 */
export function parseRepositoryResponse(
  response: GithubResponse,
  known: Visible | null,
  now: number,
): RepositoryResult {
  if (response.kind === 'failure') return { ...response, kind: 'unavailable' }
  const { status } = response
  if (status === 200) return readRepository(response)
  if (status === 304 && known !== null) return known
  if (status === 401) return { kind: 'rejected' }
  if (status === 404) return { kind: 'invisible', message: null }
  if (isRateLimit(response)) return { kind: 'rate_limited', retryAfterSeconds: retryAfterSeconds(response, now) }
  if (status === 403 && /^\s*required\b/i.test(response.headers['x-github-sso'] ?? '')) {
    return { kind: 'sso_required', sso: response.headers['x-github-sso'] ?? '' }
  }
  if (status === 403 || status === 451)
    return { kind: 'invisible', message: githubMessage(response) ?? `status ${status}` }
  return { kind: 'unavailable', reason: `status ${status}` }
}

/** Parses the response to the write probe. Only 200 means yes (docs/rules.md#write-probe). `now` is in ms since 1970. */
export function parseWriteResponse(response: GithubResponse, now: number): WriteResult {
  if (response.kind === 'failure') return { ...response, kind: 'unavailable' }
  if (response.status === 200) return { kind: 'may_write' }
  if (response.status === 401) return { kind: 'rejected' }
  if (isRateLimit(response)) return { kind: 'rate_limited', retryAfterSeconds: retryAfterSeconds(response, now) }
  if (response.status >= 500) return { kind: 'unavailable', reason: `status ${response.status}` }
  return { kind: 'may_not_write' }
}

function readRepository({ body, headers }: ReceivedResponse): RepositoryResult {
  const parsed = repositorySchema.safeParse(body)
  if (!parsed.success) return { kind: 'unavailable', reason: 'a response without an id and a full_name' }
  const { id, full_name, default_branch, permissions, visibility = 'public', parent } = parsed.data
  const names = namesOfFullName(full_name)
  if (names === null) return { kind: 'unavailable', reason: 'an impossible full_name' }
  const push = permissions && (permissions.push === true || permissions.maintain === true || permissions.admin === true)
  const isPublic = !parsed.data.private && visibility === 'public'
  const parentName = parent && namesOfFullName(parent.full_name) ? parent.full_name : null
  const repository = { id, ...names, defaultBranch: default_branch, isPublic, parent: parentName }
  return { kind: 'visible', repository, push, etag: headers.etag ?? null }
}
