import type { Account } from '../data.ts'

/** The beginnings of the URLs in responses. */
export interface Links {
  /** The URL of the API. */
  api: string
  /** The URL of the web site. */
  web: string
}

/** Node ids are opaque: clients compare them, and never parse them. */
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

/** An account in an event has fewer fields. */
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
