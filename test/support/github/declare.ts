import { newApp } from './app.ts'
import { newSha, nextId } from './ids.ts'
import { hourMs } from './limits.ts'
import {
  type Account,
  type App,
  findAccount,
  type Installation,
  type Pull,
  type Repository,
  type Role,
  type World,
} from './world.ts'

/** What may be said of the App beforehand: its keys are its own. */
export type AppFacts = Partial<Omit<App, 'publicKey' | 'privateKey'>>

export function emptyWorld(options: { now?: () => number; app?: AppFacts } = {}): World {
  const now = options.now ?? Date.now
  const world: World = {
    accounts: new Map(),
    tokens: new Map(),
    repositories: new Map(),
    formerNames: new Map(),
    installations: new Map(),
    app: Object.assign(newApp(now()), options.app),
    manifestCodes: new Set(),
    anonymousLimit: { limit: 60, used: 0, resetsAt: now() + hourMs },
    deliveries: [],
    now,
  }
  addAccount(world, world.app.owner, { type: 'Organization' })
  return world
}

export function addAccount(world: World, login: string, facts: Partial<Account> = {}): Account {
  const known = findAccount(world, login)
  if (known !== undefined) return Object.assign(known, facts)
  const account: Account = { id: nextId(), login, type: 'User', sso: false, ...facts }
  world.accounts.set(login.toLowerCase(), account)
  return account
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

/** Installs the App on all repositories of the account, unless `facts` say otherwise. */
export function addInstallation(world: World, login: string, facts: Partial<Installation> = {}): Installation {
  const account = findAccount(world, login) ?? addAccount(world, login, { type: 'Organization' })
  const installation: Installation = {
    id: nextId(),
    account: account.login,
    repositories: 'all',
    permissions: world.app.permissions,
    suspendedAt: null,
    createdAt: new Date(world.now()),
    ...facts,
  }
  world.installations.set(installation.id, installation)
  return installation
}
