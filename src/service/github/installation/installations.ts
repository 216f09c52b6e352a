import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { repositoryNameKey } from '../../../core/repository-names.ts'
import type { GithubRequest } from '../github-request.ts'
import type { GithubResponse } from '../github-response.ts'
import { isRateLimit } from '../rate-limits.ts'

export type RepositoryName = { owner: string; repo: string }

export interface Installation {
  id: number
  /** What a token for reading asks for: the permissions that Headsup uses, as far as the owner granted them. */
  permissions: Readonly<Record<string, string>>
  /** Whether the owner granted `checks: write`. Only a token for check runs asks for it: nothing else depends on it. */
  mayWriteChecks: boolean
  /** GitHub's page of the installation, where its owner approves permissions. */
  url: string | null
}

/** A `GithubResponse` is a failure or a rate limit. */
export type FoundInstallation =
  | { kind: 'installed'; installation: Installation }
  | { kind: 'not_installed' }
  | GithubResponse

export interface Installations {
  find(repository: RepositoryName, signal?: AbortSignal): Promise<FoundInstallation>
  forgetRepository(repository: RepositoryName): void
  forget(): void
}

/** The permissions that Headsup uses besides `metadata`, all read-only (docs/rules.md#app-permissions). */
const used = ['contents', 'pull_requests']

/** How long an installation is cached, in ms. An uninstallation whose event was lost shows after this time. */
const cacheMs = 600_000

const InstallationResponse = z.object({
  id: z.int(),
  suspended_at: z.string().nullish(),
  permissions: z.record(z.string(), z.unknown()).catch({}),
  html_url: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .catch(null),
})

/** Finds and caches the App's installation of each repository. */
export function createInstallations(options: {
  requestAsApp: (request: GithubRequest) => Promise<GithubResponse>
  now: () => Date
}): Installations {
  const now = () => options.now().getTime()
  const keyOf = ({ owner, repo }: RepositoryName) => repositoryNameKey(owner, repo)
  const cache = new LRUCache<string, { installation: Installation; until: number }>({ max: 10_000 })

  return {
    async find(repository, signal) {
      const cached = cache.get(keyOf(repository))
      if (cached && cached.until > now()) return { kind: 'installed', installation: cached.installation }
      const route = 'GET /repos/{owner}/{repo}/installation'
      const response = await options.requestAsApp({ route, parameters: { ...repository }, signal })
      const found = readInstallation(response)
      if (found.kind === 'installed') {
        cache.set(keyOf(repository), { installation: found.installation, until: now() + cacheMs })
      }
      return found
    },
    forgetRepository: (repository) => void cache.delete(keyOf(repository)),
    forget: () => cache.clear(),
  }
}

function readInstallation(response: GithubResponse): FoundInstallation {
  if (response.kind === 'response' && response.status === 404) return { kind: 'not_installed' }
  if (response.kind !== 'response' || response.status !== 200) return temporaryFailure(response)
  const parsed = InstallationResponse.safeParse(response.body)
  if (!parsed.success) return { kind: 'failure', reason: 'an installation without an id' }
  return parseInstallation(parsed.data)
}

/** Parses an item of the list of installations. Throws a `ZodError`. */
export function parseListedInstallation(item: unknown) {
  return parseInstallation(InstallationResponse.parse(item))
}

function parseInstallation({ id, suspended_at, permissions, html_url: url }: z.infer<typeof InstallationResponse>) {
  if (suspended_at) return { kind: 'not_installed' } as const
  const installation = { id, permissions: narrow(permissions), mayWriteChecks: permissions.checks === 'write', url }
  return { kind: 'installed', installation } as const
}

/** A token gets no more than it asks for, though the owner may have granted the App more. */
function narrow(granted: Readonly<Record<string, unknown>>): Installation['permissions'] {
  const read = used.filter((name) => granted[name] !== undefined).map((name) => [name, 'read'])
  return { metadata: 'read', ...Object.fromEntries(read) }
}

/** A response that says nothing about the installation: GitHub is down or busy, or does not know the App by this key. */
export function temporaryFailure(response: GithubResponse): GithubResponse {
  if (response.kind === 'failure' || isRateLimit(response)) return response
  return { kind: 'failure', reason: `status ${response.status} to a request of the App` }
}
