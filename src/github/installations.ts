import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { isRateLimit } from './answer.ts'
import type { GithubAnswer, GithubQuestion } from './ask.ts'

/** Whose installation asks: that of a repository. */
export interface OfRepository {
  owner: string
  repo: string
}

/** A token that works for a repository, or why there is none. A response is one about a rate limit. */
export type FoundInstallation = { kind: 'token'; token: string } | { kind: 'not_installed' } | GithubAnswer

export interface Installations {
  of(repository: OfRepository, signal?: AbortSignal): Promise<FoundInstallation>
  forgetRepository(repository: OfRepository): void
  forget(): void
}

type InstallationId = { kind: 'installed'; id: number } | { kind: 'not_installed' } | GithubAnswer

/** How long an installation is believed, in ms: an uninstalling that no event told shows after it. */
const believedMs = 600_000
/** A token is not used in the last part of its hour, in ms: a question under way must not outlive it. */
const marginMs = 120_000

const installationSchema = z.object({ id: z.int(), suspended_at: z.string().nullish() })
const tokenSchema = z.object({ token: z.string().min(1), expires_at: z.string() })

/** Finds the App's installation on a repository, and keeps a token of each until it nears its end. */
export function createInstallations(options: {
  askAsApp: (question: Omit<GithubQuestion, 'token'>) => Promise<GithubAnswer>
  now: () => Date
}): Installations {
  const { askAsApp } = options
  const now = () => options.now().getTime()
  const ids = new LRUCache<string, { id: number; until: number }>({ max: 10_000 })
  const tokens = new LRUCache<number, { token: string; until: number }>({ max: 1_000 })

  async function findId(repository: OfRepository, signal: AbortSignal | undefined): Promise<InstallationId> {
    const known = ids.get(keyOf(repository))
    if (known && known.until > now()) return { kind: 'installed', id: known.id }
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
    ids.set(keyOf(repository), { id: parsed.data.id, until: now() + believedMs })
    return { kind: 'installed', id: parsed.data.id }
  }

  async function findToken(id: number, signal: AbortSignal | undefined): Promise<FoundInstallation> {
    const known = tokens.get(id)
    if (known && known.until > now()) return { kind: 'token', token: known.token }
    const answer = await askAsApp({
      route: 'POST /app/installations/{installation_id}/access_tokens',
      parameters: { installation_id: id },
      signal,
    })
    const isGone = answer.kind === 'response' && [403, 404].includes(answer.status) && !isRateLimit(answer)
    if (isGone) return { kind: 'not_installed' }
    if (answer.kind !== 'response' || answer.status !== 201) return passing(answer)
    const parsed = tokenSchema.safeParse(answer.body)
    if (!parsed.success) return { kind: 'failure', reason: 'an access token without a token' }
    const { token, expires_at } = parsed.data
    // An end that can't be read keeps nothing.
    tokens.set(id, { token, until: Date.parse(expires_at) - marginMs || 0 })
    return { kind: 'token', token }
  }

  return {
    async of(repository, signal) {
      const found = await findId(repository, signal)
      return found.kind === 'installed' ? await findToken(found.id, signal) : found
    },
    forgetRepository(repository) {
      const known = ids.get(keyOf(repository))
      if (known) tokens.delete(known.id)
      ids.delete(keyOf(repository))
    },
    // The tokens stay: they say nothing of what they may reach, and GitHub refuses those that are void.
    forget: () => ids.clear(),
  }
}

/** What says nothing of the installation: GitHub is down or busy, or doesn't know the App by this key. */
function passing(answer: GithubAnswer): GithubAnswer {
  if (answer.kind === 'failure' || isRateLimit(answer)) return answer
  return { kind: 'failure', reason: `status ${answer.status} to a question of the App` }
}

function keyOf({ owner, repo }: OfRepository): string {
  return `${owner}/${repo}`.toLowerCase()
}
