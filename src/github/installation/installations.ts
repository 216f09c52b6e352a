import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { isRateLimit } from '../access/parse-access-response.ts'
import type { GithubRequest, GithubResponse } from '../github-request.ts'

/** Whose installation asks: that of a repository. */
export interface InstallationQuery {
  owner: string
  repo: string
}

/** A token that works for a repository, or why there is none. A response is one about a rate limit. */
export type FoundInstallation = { kind: 'token'; token: string } | { kind: 'not_installed' } | GithubResponse

export interface Installations {
  of(repository: InstallationQuery, signal?: AbortSignal): Promise<FoundInstallation>
  forgetRepository(repository: InstallationQuery): void
  forget(): void
}

type Permissions = Readonly<Record<string, string>>

interface Installed {
  id: number
  /** What a token is asked for: of what Headsup uses, as much as the owner granted. */
  permissions: Permissions
}

type FoundId = (Installed & { kind: 'installed' }) | { kind: 'not_installed' } | GithubResponse

/** The permissions that Headsup uses besides `metadata`, all read-only (docs/rules.md#app-permissions). */
const used = ['contents', 'pull_requests']

/** How long an installation is believed, in ms: an uninstalling that no event told shows after it. */
const believedMs = 600_000
/** A token is not used in the last part of its hour, in ms: a question under way must not outlive it. */
const marginMs = 120_000

const installationSchema = z.object({
  id: z.int(),
  suspended_at: z.string().nullish(),
  permissions: z.record(z.string(), z.unknown()).catch({}),
})
const tokenSchema = z.object({ token: z.string().min(1), expires_at: z.string() })

/** Finds the App's installation on a repository, and keeps a token of each until it nears its end. */
export function createInstallations(options: {
  askAsApp: (question: Omit<GithubRequest, 'token'>) => Promise<GithubResponse>
  now: () => Date
}): Installations {
  const { askAsApp } = options
  const now = () => options.now().getTime()
  const ids = new LRUCache<string, Installed & { until: number }>({ max: 10_000 })
  const tokens = new LRUCache<string, { token: string; until: number }>({ max: 1_000 })

  async function findId(repository: InstallationQuery, signal: AbortSignal | undefined): Promise<FoundId> {
    const known = ids.get(keyOf(repository))
    if (known && known.until > now()) return { ...known, kind: 'installed' }
    const answer = await askAsApp({
      route: 'GET /repos/{owner}/{repo}/installation',
      parameters: { ...repository },
      signal,
    })
    if (answer.kind === 'response' && answer.status === 404) return { kind: 'not_installed' }
    if (answer.kind !== 'response' || answer.status !== 200) return passing(answer)
    const parsed = installationSchema.safeParse(answer.body)
    if (!parsed.success) return { kind: 'failure', reason: 'an installation without an id' }
    if (parsed.data.suspended_at) return { kind: 'not_installed' }
    const found = { id: parsed.data.id, permissions: leastOf(parsed.data.permissions) }
    ids.set(keyOf(repository), { ...found, until: now() + believedMs })
    return { ...found, kind: 'installed' }
  }

  async function findToken(
    repository: InstallationQuery,
    { id, permissions }: Installed,
    signal: AbortSignal | undefined,
  ): Promise<FoundInstallation> {
    const key = tokenKeyOf({ id, permissions })
    const known = tokens.get(key)
    if (known && known.until > now()) return { kind: 'token', token: known.token }
    const answer = await askAsApp({
      route: 'POST /app/installations/{installation_id}/access_tokens',
      parameters: { installation_id: id, permissions },
      signal,
    })
    const isGone = answer.kind === 'response' && [403, 404].includes(answer.status) && !isRateLimit(answer)
    if (isGone) return { kind: 'not_installed' }
    // The owner grants less than they did: what they grant is looked up again the next time.
    if (answer.kind === 'response' && answer.status === 422) ids.delete(keyOf(repository))
    if (answer.kind !== 'response' || answer.status !== 201) return passing(answer)
    const parsed = tokenSchema.safeParse(answer.body)
    if (!parsed.success) return { kind: 'failure', reason: 'an access token without a token' }
    const { token, expires_at } = parsed.data
    // An end that can't be read keeps nothing.
    tokens.set(key, { token, until: Date.parse(expires_at) - marginMs || 0 })
    return { kind: 'token', token }
  }

  return {
    async of(repository, signal) {
      const found = await findId(repository, signal)
      return found.kind === 'installed' ? await findToken(repository, found, signal) : found
    },
    forgetRepository(repository) {
      const known = ids.get(keyOf(repository))
      if (known) tokens.delete(tokenKeyOf(known))
      ids.delete(keyOf(repository))
    },
    // The tokens stay: they say nothing of what they may reach, and GitHub refuses those that are void.
    forget: () => ids.clear(),
  }
}

/** A token gets no more than it is asked for, though the App may have been granted more. */
function leastOf(granted: Readonly<Record<string, unknown>>): Permissions {
  const read = used.filter((name) => granted[name] !== undefined).map((name) => [name, 'read'])
  return { metadata: 'read', ...Object.fromEntries(read) }
}

/** With what it may do: where the owner grants more, the token of before is not enough. */
function tokenKeyOf({ id, permissions }: Installed): string {
  return [id, ...Object.keys(permissions)].join(' ')
}

/** What says nothing of the installation: GitHub is down or busy, or doesn't know the App by this key. */
function passing(answer: GithubResponse): GithubResponse {
  if (answer.kind === 'failure' || isRateLimit(answer)) return answer
  return { kind: 'failure', reason: `status ${answer.status} to a question of the App` }
}

function keyOf({ owner, repo }: InstallationQuery): string {
  return `${owner}/${repo}`.toLowerCase()
}
