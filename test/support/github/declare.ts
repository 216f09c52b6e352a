import { createHash, generateKeyPairSync } from 'node:crypto'
import { hourMs } from './limits.ts'
import {
  type Account,
  type App,
  findAccount,
  type Pull,
  type Repository,
  type Role,
  type Token,
  type World,
} from './world.ts'

// One row of ids for all worlds of a process: several of them may serve one database.
let lastId = 100

export function nextId(): number {
  return ++lastId
}

/** What stands for a commit: no commit is ever looked into. */
export function shaOf(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

export function newSha(): string {
  return shaOf(`commit ${nextId()}`)
}

export const appGrants = { metadata: 'read', contents: 'read', pull_requests: 'read' } as const

export function emptyWorld(options: { now?: () => number; app?: Partial<App> } = {}): World {
  const now = options.now ?? Date.now
  const world: World = {
    accounts: new Map(),
    tokens: new Map(),
    repositories: new Map(),
    formerNames: new Map(),
    installations: new Map(),
    app: { ...newApp(now()), ...options.app },
    now,
  }
  addAccount(world, world.app.owner, { type: 'Organization' })
  return world
}

function newApp(now: number): App {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  return {
    id: nextId(),
    slug: 'headsup',
    name: 'Headsup',
    owner: 'acme',
    publicKey,
    privateKey,
    webhookSecret: 'a secret of the tests',
    hookUrl: null,
    permissions: appGrants,
    createdAt: new Date(now),
  }
}

export function addAccount(world: World, login: string, facts: Partial<Account> = {}): Account {
  const known = findAccount(world, login)
  if (known !== undefined) return Object.assign(known, facts)
  const account: Account = { id: nextId(), login, type: 'User', sso: false, ...facts }
  world.accounts.set(login.toLowerCase(), account)
  return account
}

/** A classic personal token, or with `token` beginning with `gho_` an OAuth one, unless `facts` say otherwise. */
export function addToken(world: World, token: string, login: string | null, facts: Partial<Token> = {}): Token {
  if (login !== null) addAccount(world, login)
  const made: Token = {
    token,
    login,
    repositories: null,
    grants: null,
    shows: 'role',
    ssoAuthorized: new Set(),
    installationId: null,
    expiresAt: null,
    limit: { limit: 5_000, used: 0, resetsAt: world.now() + hourMs },
    ...facts,
  }
  world.tokens.set(token, made)
  return made
}

export function addRepository(
  world: World,
  owner: string,
  name: string,
  facts: Partial<Omit<Repository, 'roles'>> & { roles?: Record<string, Role> } = {},
): Repository {
  if (findAccount(world, owner) === undefined) addAccount(world, owner, { type: 'Organization' })
  const { roles = {}, ...others } = facts
  for (const login of Object.keys(roles)) addAccount(world, login)
  const defaultBranch = facts.defaultBranch ?? 'main'
  const repository: Repository = {
    id: nextId(),
    owner,
    name,
    private: true,
    archived: false,
    fork: false,
    defaultBranch,
    roles: new Map(Object.entries(roles)),
    branches: new Map([[defaultBranch, newSha()]]),
    files: new Map(),
    pulls: [],
    createdAt: new Date(world.now()),
    updatedAt: new Date(world.now()),
    pushedAt: new Date(world.now()),
    ...others,
  }
  world.repositories.set(repository.id, repository)
  return repository
}

/** Opened by the owner from a branch of the same repository, unless `facts` say otherwise. */
export function addPull(world: World, repository: Repository, facts: Partial<Pull> & { head: string }): Pull {
  const { author = repository.owner, base = repository.defaultBranch } = facts
  addAccount(world, author)
  const at = new Date(world.now())
  const pull: Pull = {
    id: nextId(),
    number: Math.max(0, ...repository.pulls.map(({ number }) => number)) + 1,
    title: 'Work',
    body: null,
    author,
    state: 'open',
    draft: false,
    headRepositoryId: repository.id,
    headOwner: repository.owner,
    headSha: repository.branches.get(facts.head) ?? newSha(),
    base,
    baseSha: repository.branches.get(base) ?? newSha(),
    createdAt: at,
    updatedAt: at,
    closedAt: null,
    mergedAt: null,
    mergeSha: null,
    ...facts,
  }
  repository.pulls.push(pull)
  return pull
}
