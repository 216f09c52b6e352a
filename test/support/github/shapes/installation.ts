import type { GithubData, Installation } from '../data.ts'
import { clientIdOf } from '../routes/oauth.ts'
import { instant, instantOrNull, type Links, nodeId } from './account.ts'
import { accountOf } from './pull.ts'

export function installationShape(data: GithubData, installation: Installation, links: Links) {
  const { id } = installation
  const account = accountOf(data, installation.account, links)
  return {
    id,
    account,
    repository_selection: installation.repositories === 'all' ? ('all' as const) : ('selected' as const),
    access_tokens_url: `${links.api}/app/installations/${id}/access_tokens`,
    repositories_url: `${links.api}/installation/repositories`,
    html_url: `${links.web}/organizations/${installation.account}/settings/installations/${id}`,
    app_id: data.app.id,
    app_slug: data.app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: { ...installation.permissions },
    events: [...data.app.events],
    created_at: instant(installation.createdAt),
    updated_at: instant(installation.createdAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: installation.suspendedAt === null ? null : account,
    suspended_at: instantOrNull(installation.suspendedAt),
  }
}

export function appShape({ app, ...data }: GithubData, links: Links) {
  return {
    id: app.id,
    slug: app.slug,
    node_id: nodeId('A', app.id),
    client_id: clientIdOf({ app }),
    owner: accountOf({ app, ...data }, app.owner, links),
    name: app.name,
    description: null,
    external_url: `${links.web}/${app.owner}`,
    html_url: `${links.web}/apps/${app.slug}`,
    created_at: instant(app.createdAt),
    updated_at: instant(app.createdAt),
    permissions: { ...app.permissions },
    events: [...app.events],
    installations_count: data.installations.size,
  }
}
