import { z } from 'zod'
import { covers, installationOf } from '../installation-of.ts'
import { pageOf } from '../page.ts'
import { type Call, failure, invalid, notFound, type Reply, type RepositoryRoute, type Route } from '../route.ts'
import { instant } from '../shapes/account.ts'
import { appShape, installationShape } from '../shapes/installation.ts'
import { shownRepository } from '../shapes/shown.ts'
import { addInstallationToken } from '../tokens.ts'

export const appRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/app',
    by: 'app',
    handle: ({ data, links }) => ({ status: 200, body: appShape(data, links) }),
  },
  { method: 'GET', path: '/app/installations', by: 'app', handle: listInstallations },
  { method: 'GET', path: '/app/installations/{installation_id}', by: 'app', handle: readInstallation },
  { method: 'POST', path: '/app/installations/{installation_id}/access_tokens', by: 'app', handle: createToken },
  { method: 'POST', path: '/app-manifests/{code}/conversions', handle: convertManifest },
  { method: 'GET', path: '/installation/repositories', by: 'installation', handle: listRepositories },
]

export const repositoryInstallationRoute: RepositoryRoute = {
  method: 'GET',
  path: '/installation',
  by: 'app',
  handle({ data, links }, repository) {
    const installation = installationOf(data, repository)
    return installation === undefined ? notFound() : { status: 200, body: installationShape(data, installation, links) }
  },
}

function listInstallations(call: Call): Reply {
  const { items, headers } = pageOf(call, [...call.data.installations.values()])
  return { status: 200, headers, body: items.map((one) => installationShape(call.data, one, call.links)) }
}

function readInstallation({ data, links, params }: Call): Reply {
  const installation = data.installations.get(Number(params.installation_id))
  return installation === undefined ? notFound() : { status: 200, body: installationShape(data, installation, links) }
}

const Wanted = z.object({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.int()).optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
})

function createToken({ data, links, params, body, token: _, ...call }: Call): Reply {
  const installation = data.installations.get(Number(params.installation_id))
  if (installation === undefined) return notFound()
  if (installation.suspendedAt !== null) return failure(403, 'This installation has been suspended')
  const wanted = Wanted.safeParse(body ?? {})
  if (!wanted.success) return invalid('Invalid request.')
  const { repositories, repository_ids, permissions } = wanted.data
  const covered = [...data.repositories.values()].filter((one) => covers(installation, one))
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
  const token = addInstallationToken(data, installation, {
    repositories: isNarrowed ? chosen.map(({ id }) => id) : null,
    grants: permissions ?? granted,
  })
  const shown = { repositories: chosen.map((one) => shownRepository({ data, links, token, ...call }, one)) }
  const answer = {
    token: token.token,
    expires_at: instant(new Date(token.expiresAt ?? 0)),
    permissions: token.grants,
    repository_selection: isNarrowed || installation.repositories !== 'all' ? 'selected' : 'all',
    ...(isNarrowed ? shown : {}),
  }
  return { status: 201, body: answer }
}

function listRepositories(call: Call): Reply {
  const { data, token } = call
  const installation = data.installations.get(token?.installationId ?? 0)
  const covered = [...data.repositories.values()]
    .filter((one) => installation !== undefined && covers(installation, one))
    .filter(({ id }) => token?.repositories?.includes(id) ?? true)
  const { items, headers } = pageOf(call, covered)
  const isSelected = token?.repositories != null || installation?.repositories !== 'all'
  const body = {
    total_count: covered.length,
    repository_selection: isSelected ? 'selected' : 'all',
    repositories: items.map((one) => shownRepository(call, one)),
  }
  return { status: 200, headers, body }
}

/** Converts a code of the manifest flow, once. It needs no token. */
function convertManifest({ data, links, params }: Call): Reply {
  if (!data.manifestCodes.delete(params.code ?? '')) return notFound()
  const { privateKey, webhookSecret, clientSecret } = data.app
  const secrets = { client_secret: clientSecret, webhook_secret: webhookSecret, pem: privateKey }
  return { status: 201, body: { ...appShape(data, links), ...secrets } }
}
