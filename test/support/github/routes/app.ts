import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { addToken } from '../declare.ts'
import { hourMs } from '../limits.ts'
import { pageOf } from '../page.ts'
import { type Call, failure, invalid, notFound, type Reply, type RepositoryRoute, type Route } from '../route.ts'
import { instant } from '../shapes/account.ts'
import { appShape, installationShape } from '../shapes/installation.ts'
import { shownRepository } from '../shapes/shown.ts'
import type { Installation, Repository, World } from '../world.ts'

export const appRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/app',
    by: 'app',
    handle: ({ world, links }) => ({ status: 200, body: appShape(world, links) }),
  },
  { method: 'GET', path: '/app/installations', by: 'app', handle: listInstallations },
  { method: 'GET', path: '/app/installations/{installation_id}', by: 'app', handle: readInstallation },
  { method: 'POST', path: '/app/installations/{installation_id}/access_tokens', by: 'app', handle: createToken },
  { method: 'GET', path: '/installation/repositories', by: 'installation', handle: listRepositories },
]

export const repositoryInstallationRoute: RepositoryRoute = {
  method: 'GET',
  path: '/installation',
  by: 'app',
  handle({ world, links }, repository) {
    const installation = installationOf(world, repository)
    return installation === undefined
      ? notFound()
      : { status: 200, body: installationShape(world, installation, links) }
  },
}

export function installationOf({ installations }: World, repository: Repository): Installation | undefined {
  return [...installations.values()].find((one) => covers(one, repository))
}

function covers({ account, repositories }: Installation, { id, owner }: Repository): boolean {
  return account.toLowerCase() === owner.toLowerCase() && (repositories === 'all' || repositories.includes(id))
}

function listInstallations(call: Call): Reply {
  const { items, headers } = pageOf(call, [...call.world.installations.values()])
  return { status: 200, headers, body: items.map((one) => installationShape(call.world, one, call.links)) }
}

function readInstallation({ world, links, params }: Call): Reply {
  const installation = world.installations.get(Number(params.installation_id))
  return installation === undefined ? notFound() : { status: 200, body: installationShape(world, installation, links) }
}

const Wanted = z.object({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.int()).optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
})

function createToken({ world, links, params, body, token: _, ...call }: Call): Reply {
  const installation = world.installations.get(Number(params.installation_id))
  if (installation === undefined) return notFound()
  if (installation.suspendedAt !== null) return failure(403, 'This installation has been suspended')
  const wanted = Wanted.safeParse(body ?? {})
  if (!wanted.success) return invalid('Invalid request.')
  const { repositories, repository_ids, permissions } = wanted.data
  const covered = [...world.repositories.values()].filter((one) => covers(installation, one))
  const isNarrowed = repositories !== undefined || repository_ids !== undefined
  const chosen = covered.filter(({ id, name }) => repository_ids?.includes(id) || repositories?.includes(name))
  if (isNarrowed && chosen.length < (repositories ?? []).length + (repository_ids ?? []).length) {
    return invalid(
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    )
  }
  const granted = { ...installation.permissions }
  const isGranted = Object.entries(permissions ?? {}).every(
    ([name, level]) => level === granted[name] || granted[name] === 'write',
  )
  if (!isGranted) return invalid('The permissions requested are not granted to this installation.')
  const expiresAt = world.now() + hourMs
  const token = addToken(world, `ghs_${randomBytes(18).toString('hex')}`, null, {
    repositories: isNarrowed ? chosen.map(({ id }) => id) : null,
    grants: permissions ?? granted,
    shows: 'nothing',
    installationId: installation.id,
    expiresAt,
  })
  const shown = { repositories: chosen.map((one) => shownRepository({ world, links, token, ...call }, one)) }
  const answer = {
    token: token.token,
    expires_at: instant(new Date(expiresAt)),
    permissions: token.grants,
    repository_selection: isNarrowed || installation.repositories !== 'all' ? 'selected' : 'all',
    ...(isNarrowed ? shown : {}),
  }
  return { status: 201, body: answer }
}

function listRepositories(call: Call): Reply {
  const { world, token } = call
  const installation = world.installations.get(token?.installationId ?? 0)
  const covered = [...world.repositories.values()]
    .filter((one) => installation !== undefined && covers(installation, one))
    .filter(({ id }) => token?.repositories?.includes(id) ?? true)
  const { items, headers } = pageOf(call, covered)
  const repositories = items.map((one) => shownRepository(call, one))
  return { status: 200, headers, body: { total_count: covered.length, repository_selection: 'all', repositories } }
}
