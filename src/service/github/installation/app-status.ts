import { LRUCache } from 'lru-cache'
import type { AppStatus } from '../../context.ts'
import type { Repository } from '../../records/repository/repository.ts'
import type { GithubApp } from './app-client.ts'

/** How long an answer is cached, in ms, so that repeated requests of callers cost the App none. */
const cacheMs = 60_000

/** Finds out whether the App is installed where, and with which permissions. */
export function createAppStatus(
  app: Pick<GithubApp, 'findInstallation'> | undefined,
  now: () => Date,
): (repository: Repository) => Promise<AppStatus> {
  const cache = new LRUCache<bigint, { status: AppStatus; until: number }>({ max: 10_000 })
  return async ({ id, owner, name }) => {
    if (!app) return { state: 'not_configured', permissions: null }
    const cached = cache.get(id)
    if (cached && cached.until > now().getTime()) return cached.status
    const found = await app.findInstallation({ owner, repo: name })
    const status = statusOf(found)
    cache.set(id, { status, until: now().getTime() + cacheMs })
    return status
  }
}

function statusOf(found: Awaited<ReturnType<GithubApp['findInstallation']>>): AppStatus {
  if (found.kind === 'installed') return { state: 'installed', permissions: found.installation.permissions }
  return { state: found.kind === 'not_installed' ? 'not_installed' : 'unknown', permissions: null }
}
