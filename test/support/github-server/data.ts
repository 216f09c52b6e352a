import { randomBytes } from 'node:crypto'

/** What this GitHub holds, as plain objects: tests may change them between two requests. */
export interface GithubData {
  /** The account of each token; null for a token of an installation, which has none. */
  tokens: Map<string, string | null>
  repositories: Repository[]
  installations: Map<number, Installation>
  /** Deliveries of the App, the newest first. */
  deliveries: Delivery[]
}

export interface Repository {
  id: number
  owner: string
  name: string
  isPrivate: boolean
  defaultBranch: string
  /** The repository that this one is a fork of. */
  parent: string | null
  /** By login. Everybody may read what is public. */
  roles: Map<string, 'read' | 'write'>
  /** Texts of the default branch by their path. */
  files: Map<string, string>
  pulls: Pull[]
  checkRuns: CheckRun[]
}

export interface Pull {
  number: number
  title: string
  body: string | null
  author: string
  association: 'OWNER' | 'MEMBER' | 'COLLABORATOR' | 'CONTRIBUTOR' | 'NONE'
  state: 'open' | 'closed'
  isDraft: boolean
  /** `owner` is null where the account is gone. */
  head: { owner: string | null; branch: string; sha: string; repositoryId: number | null }
  base: string
  openedAt: Date
  updatedAt: Date
  closedAt: Date | null
  mergedAt: Date | null
  files: PullFile[]
  commits: { sha: string; committedAt: Date }[]
}

export interface PullFile {
  filename: string
  status: 'added' | 'modified' | 'removed' | 'renamed'
  previous_filename?: string
  additions: number
  deletions: number
  patch?: string
}

export interface CheckRun {
  id: number
  name: string
  head_sha: string
  status: string
  conclusion: string
  output: { title: string; summary: string }
}

export interface Installation {
  id: number
  account: string
  /** Ids. */
  repositories: number[]
  permissions: Record<string, string>
  isSuspended: boolean
}

export interface Delivery {
  id: number
  guid: string
  event: string
  action: string | null
  delivered_at: string
  status: string
  status_code: number
  payload: object
}

let lastId = 1_000

export function nextId(): number {
  return ++lastId
}

export function newSha(): string {
  return randomBytes(20).toString('hex')
}

export function emptyData(): GithubData {
  return { tokens: new Map(), installations: new Map(), repositories: [], deliveries: [] }
}

export function addRepository(
  data: GithubData,
  given: Partial<Omit<Repository, 'roles'>> & { roles?: Record<string, 'read' | 'write'> } = {},
): Repository {
  const { roles = {}, ...changed } = given
  const id = nextId()
  const repository: Repository = {
    ...{ id, owner: 'acme', name: `shop-${id}`, isPrivate: false, defaultBranch: 'main', parent: null },
    ...{ roles: new Map(Object.entries(roles)), files: new Map(), pulls: [], checkRuns: [] },
    ...changed,
  }
  data.repositories.push(repository)
  return repository
}

/** Opens a pull request; by default of a member, from a branch of the same repository, with one commit. */
export function addPull(
  repository: Repository,
  given: Partial<Omit<Pull, 'head'>> & { head?: Partial<Pull['head']> } = {},
): Pull {
  const number = given.number ?? Math.max(0, ...repository.pulls.map((pull) => pull.number)) + 1
  const at = new Date()
  const { id, owner, defaultBranch } = repository
  const head = { owner, branch: `branch-${number}`, sha: newSha(), repositoryId: id, ...given.head }
  const pull: Pull = {
    ...{ title: `Change ${number}`, body: null, author: 'bob', association: 'MEMBER', state: 'open', isDraft: false },
    ...{ base: defaultBranch, openedAt: at, updatedAt: at, closedAt: null, mergedAt: null, files: [] },
    commits: [{ sha: head.sha, committedAt: at }],
    ...given,
    ...{ number, head },
  }
  repository.pulls.push(pull)
  return pull
}

/** Ends a pull request, as GitHub's buttons do. */
export function closePull(pull: Pull, isMerged: boolean): void {
  const at = new Date()
  Object.assign(pull, { state: 'closed', updatedAt: at, closedAt: at, mergedAt: isMerged ? at : null })
}

/** Installs the App, by default with all permissions that it asks for. */
export function addInstallation(data: GithubData, given: Partial<Installation> & { account: string }): Installation {
  const all = data.repositories.filter(({ owner }) => owner === given.account).map(({ id }) => id)
  const permissions = { metadata: 'read', contents: 'read', pull_requests: 'read', checks: 'write' }
  const installation = { id: nextId(), repositories: all, permissions, isSuspended: false, ...given }
  data.installations.set(installation.id, installation)
  return installation
}

/** A modified file of which these old lines are replaced, with a patch as GitHub writes it, without context. */
export function modified(filename: string, ...ranges: [first: number, last: number][]): PullFile {
  let shift = 0
  const hunks = ranges.map(([first, last]) => {
    const count = last - first + 1
    const start = count === 0 ? first - 1 : first
    const lines = Array.from({ length: count }, (_, index) => first + index)
    const added = count === 0 ? ['+new'] : lines.map((line) => `+new ${line}`)
    const head = `@@ -${start},${count} +${first + shift},${added.length} @@`
    shift += added.length - count
    return [head, ...lines.map((line) => `-old ${line}`), ...added].join('\n')
  })
  const patch = hunks.join('\n')
  const countOf = (sign: string) => patch.split('\n').filter((line) => line.startsWith(sign)).length
  return { filename, status: 'modified', additions: countOf('+'), deletions: countOf('-'), patch }
}
