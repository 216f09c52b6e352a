import type { BranchChanges, Pull } from './pull-data.ts'

export type Role = 'read' | 'triage' | 'write' | 'maintain' | 'admin'

export interface Account {
  id: number
  login: string
  type: 'User' | 'Organization' | 'Bot'
  /** Whether an organization requires single sign-on for classic and OAuth tokens. */
  sso: boolean
}

/** The permissions of a fine-grained or installation token. A missing resource is not granted. */
export type Grants = Readonly<Record<string, 'read' | 'write'>>

/** The calls of an hour; `resetsAt` is in ms since 1970. */
export interface Limit {
  limit: number
  used: number
  resetsAt: number
}

export interface Token {
  token: string
  /** Null for an installation token, which has no user. */
  login: string | null
  /** The ids of the selected repositories; null for all that the user can see. */
  repositories: readonly number[] | null
  /** Null for a token that may do what its user may do. */
  grants: Grants | null
  /** What `permissions` of a repository show. `nothing` is all false, as for installation tokens. */
  shows: 'role' | 'nothing'
  /** The organizations whose single sign-on it is authorized for. */
  ssoAuthorized: Set<string>
  /** The id of the installation, for an installation token. */
  installationId: number | null
  /** In ms since 1970. */
  expiresAt: number | null
  limit: Limit
}

export interface Repository {
  id: number
  owner: string
  name: string
  private: boolean
  archived: boolean
  fork: boolean
  defaultBranch: string
  /** By login. Everybody can read a public repository. */
  roles: Map<string, Role>
  /** The commit of each branch. */
  branches: Map<string, string>
  /** The text files of the default branch, by path. */
  files: Map<string, string>
  /** What each branch changes, by its name; made by pushes and by opening pull requests. */
  changes: Map<string, BranchChanges>
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
  /** Both in PEM format. */
  readonly publicKey: string
  readonly privateKey: string
  webhookSecret: string
  /** The secret of the client that people sign in with. */
  clientSecret: string
  /** The URL of webhooks; null until a test sets it. */
  hookUrl: string | null
  permissions: Grants
  /** The subscribed events. Events of installations are always sent. */
  events: string[]
  createdAt: Date
}

/** An attempt to deliver an event. Each attempt has an id; all attempts of an event have the same GUID. */
export interface Delivery {
  id: number
  guid: string
  event: string
  action: string | null
  deliveredAt: Date
  redelivery: boolean
  /** In seconds. */
  duration: number
  /** `OK`, or the error. */
  status: string
  statusCode: number
  installationId: number | null
  repositoryId: number | null
  /** The request, also if it could not be sent. */
  request: { headers: Record<string, string>; text: string }
  response: { headers: Record<string, string>; text: string }
}

/** All data of this GitHub, as plain objects. Tests may change it between two requests. */
export interface GithubData {
  accounts: Map<string, Account>
  tokens: Map<string, Token>
  repositories: Map<number, Repository>
  /** Former names of repositories in lower case, and their ids. */
  formerNames: Map<string, number>
  installations: Map<number, Installation>
  app: App
  /** Codes of the manifest flow. Each can be converted to the App once. */
  manifestCodes: Set<string>
  /** The login of who agrees to sign in; null: the person refuses. */
  signsIn: string | null
  /** Codes of people who agreed to sign in. Each can be exchanged once. */
  oauthCodes: Map<string, { login: string; redirectUri: string; challenge: string | null }>
  /** The limit of all callers without a token. */
  anonymousLimit: Limit
  /** Oldest first. */
  deliveries: Delivery[]
  now: () => number
}

export function nameKey(owner: string, name: string): string {
  return `${owner}/${name}`.toLowerCase()
}

export function findRepository(data: GithubData, owner: string, name: string): Repository | undefined {
  const key = nameKey(owner, name)
  return [...data.repositories.values()].find((one) => nameKey(one.owner, one.name) === key)
}

export function findAccount(data: GithubData, login: string): Account | undefined {
  return data.accounts.get(login.toLowerCase())
}

export function repositoryOf(data: GithubData, id: number): Repository {
  const repository = data.repositories.get(id)
  if (repository === undefined) throw new Error(`the stand-in has no repository ${id}`)
  return repository
}
