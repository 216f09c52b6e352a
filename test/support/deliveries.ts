import { createHmac, randomUUID } from 'node:crypto'
import type { ApiResponse } from './client.ts'
import { call } from './client.ts'
import type { TestRepository, TestService } from './service.ts'

export const secret = 'it is a secret to everybody'

export function sign(body: string, key = secret): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
}

export interface Sent {
  guid?: string
  /** The secret of the signature, by default `secret`. */
  secret?: string
  headers?: Record<string, string>
}

/** Delivers a signed event over HTTP, as GitHub does. */
export function deliver(
  service: Pick<TestService, 'url'>,
  event: string,
  payload: unknown,
  { guid, headers, secret: key }: Sent = {},
): Promise<ApiResponse> {
  const raw = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return call(`${service.url}/api/github/webhooks`, {
    method: 'POST',
    raw,
    headers: {
      'x-github-event': event,
      'x-github-delivery': guid ?? randomUUID(),
      'x-hub-signature-256': sign(raw, key),
      'user-agent': 'GitHub-Hookshot/044aadd',
      ...headers,
    },
  })
}

/** The part of GitHub's `repository` object that events of this repository carry. */
export function repositoryPayload({ id, owner, name }: TestRepository, changes: object = {}) {
  return {
    id: Number(id),
    name,
    full_name: `${owner}/${name}`,
    owner: { login: owner },
    private: true,
    default_branch: 'main',
    pushed_at: null,
    ...changes,
  }
}

export interface PullRequestChanges {
  number?: number
  head?: string
  headRepository?: object | null
  base?: string
  draft?: boolean
  state?: string
  merged?: boolean
  merged_at?: string | null
  updated_at?: string
  repository?: object
}

/** A `pull_request` event of this repository. By default its head is in the repository too. */
export function pullRequestPayload(repository: TestRepository, action: string, changes: PullRequestChanges = {}) {
  const { number = 7, head = 'feat', base = 'main', draft = false, state = 'open', merged = false } = changes
  const own = repositoryPayload(repository, changes.repository)
  return {
    action,
    number,
    pull_request: {
      number,
      state,
      draft,
      merged,
      merged_at: changes.merged_at ?? null,
      ...(changes.updated_at === undefined ? {} : { updated_at: changes.updated_at }),
      head: { ref: head, repo: changes.headRepository === undefined ? own : changes.headRepository },
      base: { ref: base, repo: own },
    },
    repository: own,
    installation: { id: 1 },
    sender: { login: 'octocat' },
  }
}
