import { z } from 'zod'
import type { GithubResponse } from '../github-response.ts'
import { isRepositoryName } from '../names.ts'

/** A repository as GitHub shows it to a token; names and default branch as GitHub spells them today. */
export interface VisibleRepository {
  /** GitHub's numeric id: what records belong to. */
  id: bigint
  owner: string
  name: string
  defaultBranch: string
}

/** What went wrong between GitHub and this token, whatever was asked. */
export type UpstreamError =
  | { kind: 'refused' }
  | { kind: 'rate_limited'; retryAfterSeconds: number }
  | { kind: 'unavailable'; reason: string }

/** `push` is null where GitHub says nothing of permissions. */
export interface Visible {
  kind: 'seen'
  repository: VisibleRepository
  push: boolean | null
  etag: string | null
}

export type RepositoryResult =
  | UpstreamError
  | Visible
  /** `message` is GitHub's, for our log, where the reason isn't plain absence. */
  | { kind: 'invisible'; message: string | null }
  /** `sso` is GitHub's header, with its URL: for the caller, never for the log. */
  | { kind: 'sso_required'; sso: string }

export type WriteResult = UpstreamError | { kind: 'may_write' } | { kind: 'may_not_write' }

type Response = Extract<GithubResponse, { kind: 'response' }>

const defaultRetryAfterSeconds = 60
const maxId = 2n ** 63n - 1n

const repositorySchema = z.object({
  id: z
    .union([z.int(), z.bigint()])
    .transform(BigInt)
    .refine((id) => id > 0n && id <= maxId),
  full_name: z.string(),
  // GitHub always sends it. Only `id` and `full_name` are required (docs/rules.md#github-failures).
  default_branch: z.string().min(1).catch('main'),
  permissions: z
    .object({ push: z.boolean().optional(), maintain: z.boolean().optional(), admin: z.boolean().optional() })
    .nullable()
    .catch(null),
})

export function isUpstreamError(verdict: { kind: string }): verdict is UpstreamError {
  return ['refused', 'rate_limited', 'unavailable'].includes(verdict.kind)
}

/**
 * Reads GitHub's answer to `GET /repos/{owner}/{repo}` (docs/rules.md#github-rate-limits). `known` is what the ETag of
 * the request stood for; without one a 304 is invalid. `now` is in ms since 1970.
 */
export function parseRepositoryResponse(answer: GithubResponse, known: Visible | null, now: number): RepositoryResult {
  if (answer.kind === 'failure') return { kind: 'unavailable', reason: answer.reason }
  const { status } = answer
  if (status === 200) return readRepository(answer)
  if (status === 304 && known !== null) return known
  if (status === 401) return { kind: 'refused' }
  if (status === 404) return { kind: 'invisible', message: null }
  if (isRateLimit(answer)) return { kind: 'rate_limited', retryAfterSeconds: retryAfterSeconds(answer, now) }
  if (status === 403 && /^\s*required\b/i.test(answer.headers['x-github-sso'] ?? '')) {
    return { kind: 'sso_required', sso: answer.headers['x-github-sso'] ?? '' }
  }
  if (status === 403 || status === 451) return { kind: 'invisible', message: messageOf(answer) ?? `status ${status}` }
  return { kind: 'unavailable', reason: `status ${status}` }
}

/** Reads the answer to the write probe: only 200 is a yes (docs/rules.md#write-probe). `now` is in ms since 1970. */
export function parseWriteResponse(answer: GithubResponse, now: number): WriteResult {
  if (answer.kind === 'failure') return { kind: 'unavailable', reason: answer.reason }
  if (answer.status === 200) return { kind: 'may_write' }
  if (answer.status === 401) return { kind: 'refused' }
  if (isRateLimit(answer)) return { kind: 'rate_limited', retryAfterSeconds: retryAfterSeconds(answer, now) }
  if (answer.status >= 500) return { kind: 'unavailable', reason: `status ${answer.status}` }
  return { kind: 'may_not_write' }
}

function readRepository({ body, headers }: Response): RepositoryResult {
  const parsed = repositorySchema.safeParse(body)
  if (!parsed.success) return { kind: 'unavailable', reason: 'an answer without an id and a full_name' }
  const { id, full_name, default_branch, permissions } = parsed.data
  const [owner = '', name = '', ...rest] = full_name.split('/')
  if (rest.length > 0 || !isRepositoryName(owner, name))
    return { kind: 'unavailable', reason: 'an impossible full_name' }
  const push = permissions && (permissions.push === true || permissions.maintain === true || permissions.admin === true)
  const repository = { id, owner, name, defaultBranch: default_branch }
  return { kind: 'seen', repository, push, etag: headers.etag ?? null }
}

/** Whether the answer reports a spent rate limit (docs/rules.md#github-rate-limits). */
export function isRateLimit(response: Response): boolean {
  if (response.status === 429) return true
  if (response.status !== 403) return false
  if (response.headers['x-ratelimit-remaining']?.trim() === '0') return true
  if (response.headers['retry-after'] !== undefined) return true
  // A secondary limit can be a bare 403 with nothing but its message; "abuse detection" is what older servers call it.
  return /rate[ -]?limit|login attempts|abuse detection/i.test(messageOf(response) ?? '')
}

/** When to ask again after a rate limit, in whole seconds; `now` in ms since 1970. */
export function retryAfterSeconds({ headers }: Response, now: number): number {
  const header = headers['retry-after']?.trim() ?? ''
  const seconds = /^\d+$/.test(header) ? Math.max(1, Number(header)) : secondsUntil(Date.parse(header), now)
  if (isWait(seconds)) return seconds
  // With calls remaining it is another limit than the one that this reset belongs to.
  const remaining = headers['x-ratelimit-remaining']?.trim() ?? '0'
  const untilReset = secondsUntil(Number(headers['x-ratelimit-reset']) * 1000, now)
  return remaining === '0' && isWait(untilReset) ? untilReset : defaultRetryAfterSeconds
}

function secondsUntil(time: number, now: number): number {
  return Math.ceil((time - now) / 1000)
}

// GitHub's longest limit is an hour; a time that is over, none, or years away would be a mistake about the unit or the clock.
function isWait(seconds: number): boolean {
  return seconds >= 1 && seconds <= 86_400
}

function messageOf({ body }: Response): string | null {
  if (typeof body === 'string') return body
  if (typeof body !== 'object' || body === null || !('message' in body)) return null
  return typeof body.message === 'string' ? body.message : null
}
