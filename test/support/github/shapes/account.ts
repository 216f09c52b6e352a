import type { Account } from '../world.ts'

/** What every URL in an answer begins with. */
export interface Links {
  /** The API's. */
  api: string
  /** The web site's. */
  web: string
}

/** Neither secret nor stable across kinds, as GitHub's are: only looked at by its clients, never read. */
export function nodeId(kind: string, id: number): string {
  return `${kind}_${Buffer.from(`${kind}:${id}`).toString('base64url')}`
}

export function instant(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}

export function instantOrNull(date: Date | null): string | null {
  return date === null ? null : instant(date)
}

export function accountShape({ id, login, type }: Account, { api, web }: Links) {
  const url = `${api}/users/${login}`
  return {
    login,
    id,
    node_id: nodeId(type === 'User' ? 'U' : 'O', id),
    avatar_url: `${web}/avatars/u/${id}?v=4`,
    gravatar_id: '',
    url,
    html_url: `${web}/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    user_view_type: 'public',
    site_admin: false,
  }
}

export type AccountShape = ReturnType<typeof accountShape>

/** As events have it: less than an account. */
export function organizationShape({ id, login }: { id: number; login: string }, { api, web }: Links) {
  const url = `${api}/orgs/${login}`
  return {
    login,
    id,
    node_id: nodeId('O', id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${web}/avatars/u/${id}?v=4`,
    description: null,
  }
}
