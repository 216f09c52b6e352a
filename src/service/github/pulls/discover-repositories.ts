import { z } from 'zod'
import { namesOfFullName } from '../../../core/repository-names.ts'
import type { Database } from '../../db/database.ts'
import { type Lease, withLease } from '../../db/lease.ts'
import type { Log } from '../../lib/log.ts'
import { observeByApp } from '../../observed/observe-by-app.sql.ts'
import type { Repository } from '../../records/repository/repository.ts'
import { saveGrant } from '../../report/grants.sql.ts'
import type { GithubResponse } from '../github-response.ts'
import type { AppRequest, GithubApp } from '../installation/app-client.ts'
import { type Installation, parseListedInstallation } from '../installation/installations.ts'
import { readPages, UnusableResponse } from './read-response.ts'

export interface DiscoverDeps {
  db: Database
  app: Pick<GithubApp, 'requestAsApp' | 'requestForInstallation'>
  log: Log
  now(): Date
  signal?: AbortSignal | undefined
}

const perPage = 100
const leaseMs = 30_000

const InstalledRepository = z.object({
  id: z.int().positive().transform(BigInt),
  full_name: z.string(),
  default_branch: z.string().min(1).max(255).catch('main'),
  private: z.boolean().optional().catch(undefined),
})

/**
 * Finds the repositories that the App is installed on and may read the pull requests of. An installation that can't be read
 * does not stop the others. Returns whether all were read. Throws `UnusableResponse` if the installations can't be listed.
 */
export async function discoverRepositories(deps: DiscoverDeps): Promise<boolean> {
  // A pull request that is opened meanwhile gets a check run.
  const since = deps.now()
  const done = await withLease(deps.db, { name: 'discover repositories', holdMs: leaseMs }, async (lease) => {
    let isWhole = true
    for (const installation of await listInstallations(deps, lease)) {
      isWhole = (await saveRepositories(deps, lease, { installation, since })) && isWhole
    }
    return isWhole
  })
  // Another instance finds them now.
  return done ?? true
}

async function listInstallations({ app, signal }: DiscoverDeps, lease: Lease): Promise<Installation[]> {
  const send = sender(lease, (request) => app.requestAsApp({ ...request, signal }))
  const list = { route: 'GET /app/installations', parameters: { per_page: perPage } }
  const listed = await readPages(send, list, { parse: (body) => z.array(z.unknown()).parse(body) })
  return listed
    .map(parseListedInstallation)
    .flatMap((one) => (one.kind === 'installed' ? one.installation : []))
    .filter(({ permissions }) => permissions.pull_requests !== undefined)
}

async function saveRepositories(
  { db, app, log, now, signal }: DiscoverDeps,
  lease: Lease,
  { installation, since }: { installation: Installation; since: Date },
): Promise<boolean> {
  const send = sender(lease, (request) => app.requestForInstallation(installation, { ...request, signal }))
  const list = { route: 'GET /installation/repositories', parameters: { per_page: perPage } }
  try {
    const repositories = await readPages(send, list, { parse: parseRepositories })
    await db.transaction(async (tx) => {
      await observeByApp(tx, repositories, now())
      const ids = repositories.map(({ id }) => id)
      await saveGrant(tx, ids, installation, since)
    })
    return true
  } catch (error) {
    if (!(error instanceof UnusableResponse)) throw error
    const fields = { installation_id: installation.id, reason: error.message }
    log.warn(fields, 'the repositories of an installation can not be listed now')
    return false
  }
}

function sender(lease: Lease, send: (request: AppRequest) => Promise<GithubResponse | { kind: 'not_installed' }>) {
  return async (request: AppRequest): Promise<GithubResponse> => {
    if (!(await lease.renew())) return { kind: 'failure', reason: 'the lease is lost' }
    const response = await send(request)
    return response.kind === 'not_installed' ? { kind: 'failure', reason: 'it is not installed any more' } : response
  }
}

function parseRepositories(body: unknown): Repository[] {
  const { repositories } = z.object({ repositories: z.array(InstalledRepository) }).parse(body)
  return repositories.flatMap(({ id, full_name, default_branch: defaultBranch, private: isPrivate }) => {
    const names = namesOfFullName(full_name)
    const isPublic = isPrivate === undefined ? {} : { isPublic: !isPrivate }
    return names ? { id, ...names, defaultBranch, ...isPublic } : []
  })
}
