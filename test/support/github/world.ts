export type Role = 'read' | 'triage' | 'write' | 'maintain' | 'admin'

export interface Account {
  id: number
  login: string
  type: 'User' | 'Organization'
  /** An organization that wants classic and OAuth tokens authorized for single sign-on. */
  sso: boolean
}

/** Of a fine-grained or an installation token; a resource that is not named is not granted. */
export type Grants = Readonly<Record<string, 'read' | 'write'>>

/** Calls of the hour; `resetsAt` in ms since 1970. */
export interface Limit {
  limit: number
  used: number
  resetsAt: number
}

export interface Token {
  token: string
  /** Null for an installation token, which is nobody's. */
  login: string | null
  /** The repositories that it is for, by id; null for all that its user sees. */
  repositories: readonly number[] | null
  /** Null for a token that may do what its user may do. */
  grants: Grants | null
  /** What `permissions` of a repository show: `nothing` is all false, as GitHub shows it to installation tokens. */
  shows: 'role' | 'nothing'
  /** The organizations for whose single sign-on it was authorized. */
  ssoAuthorized: Set<string>
  /** Of an installation's token: whose. */
  installationId: number | null
  /** In ms since 1970. */
  expiresAt: number | null
  limit: Limit
}

export interface Pull {
  id: number
  number: number
  title: string
  body: string | null
  author: string
  state: 'open' | 'closed'
  draft: boolean
  /** The repository of the head branch; null where the fork was deleted. */
  headRepositoryId: number | null
  headOwner: string
  head: string
  headSha: string
  base: string
  baseSha: string
  createdAt: Date
  updatedAt: Date
  closedAt: Date | null
  mergedAt: Date | null
  mergeSha: string | null
}

export interface Repository {
  id: number
  owner: string
  name: string
  private: boolean
  archived: boolean
  fork: boolean
  defaultBranch: string
  /** By login; a public repository can be read by all. */
  roles: Map<string, Role>
  /** The commit that each branch points to. */
  branches: Map<string, string>
  /** The text files of the default branch, by path. */
  files: Map<string, string>
  pulls: Pull[]
  createdAt: Date
  updatedAt: Date
  pushedAt: Date | null
}

export interface Installation {
  id: number
  account: string
  repositories: 'all' | number[]
  permissions: Grants
  suspendedAt: Date | null
  createdAt: Date
}

export interface App {
  id: number
  slug: string
  name: string
  owner: string
  /** Both PEM. */
  readonly publicKey: string
  readonly privateKey: string
  webhookSecret: string
  /** Where deliveries go; null until a test names it. */
  hookUrl: string | null
  permissions: Grants
  /** What it subscribed to; those of its installations it gets without. */
  events: string[]
  createdAt: Date
}

/** One try to bring an event to the App; each has an id of its own, all those of one event its GUID. */
export interface Delivery {
  id: number
  guid: string
  event: string
  action: string | null
  deliveredAt: Date
  redelivery: boolean
  /** In seconds. */
  duration: number
  /** `OK`, or what went wrong. */
  status: string
  statusCode: number
  installationId: number | null
  repositoryId: number | null
  /** What was, or would have been, sent. */
  request: { headers: Record<string, string>; text: string }
  response: { headers: Record<string, string>; text: string }
}

/** Everything that this GitHub knows, as plain data: tests may change any of it between two requests. */
export interface World {
  accounts: Map<string, Account>
  tokens: Map<string, Token>
  repositories: Map<number, Repository>
  /** Names that repositories had before, lower case, and the ids that they lead to. */
  formerNames: Map<string, number>
  installations: Map<number, Installation>
  app: App
  /** Each can be turned into the App once, as at the end of GitHub's manifest flow. */
  manifestCodes: Set<string>
  /** Of all who ask without a token. */
  anonymousLimit: Limit
  /** Oldest first. */
  deliveries: Delivery[]
  now: () => number
}

export function nameKey(owner: string, name: string): string {
  return `${owner}/${name}`.toLowerCase()
}

export function findRepository(world: World, owner: string, name: string): Repository | undefined {
  const key = nameKey(owner, name)
  return [...world.repositories.values()].find((one) => nameKey(one.owner, one.name) === key)
}

export function findAccount(world: World, login: string): Account | undefined {
  return world.accounts.get(login.toLowerCase())
}

export function repositoryOf(world: World, id: number): Repository {
  const repository = world.repositories.get(id)
  if (repository === undefined) throw new Error(`the stand-in has no repository ${id}`)
  return repository
}
