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

const nodeKinds = { User: 'U', Organization: 'O', Bot: 'BOT' } as const

export function accountShape({ id, login, type }: Account, { api, web }: Links) {
  const url = `${api}/users/${encodeURIComponent(login)}`
  return {
    login,
    id,
    node_id: nodeId(nodeKinds[type], id),
    avatar_url: `${web}/avatars/u/${id}?v=4`,
    gravatar_id: '',
    url,
    html_url: type === 'Bot' ? `${web}/apps/${login.replace('[bot]', '')}` : `${web}/${login}`,
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

/** The account of the caller, without the private profile: that needs the scope `user`. */
export function userShape(account: Account, links: Links) {
  const since = '2020-01-01T00:00:00Z'
  return {
    ...accountShape(account, links),
    name: null,
    company: null,
    blog: '',
    location: null,
    email: null,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: 0,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: since,
    updated_at: since,
  }
}

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
