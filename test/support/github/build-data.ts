import { newApp } from './app.ts'
import { newCommits } from './commits.ts'
import {
  type Account,
  type App,
  findAccount,
  type GithubData,
  type Installation,
  type Repository,
  type Role,
} from './data.ts'
import { newSha, nextId } from './ids.ts'
import { hourMs } from './limits.ts'
import type { AuthorAssociation, Pull } from './pull-data.ts'

/** The facts of the App that a test may set; its keys are generated. */
export type AppChanges = Partial<Omit<App, 'publicKey' | 'privateKey'>>

export function emptyData(options: { now?: () => number; app?: AppChanges } = {}): GithubData {
  const now = options.now ?? Date.now
  const data: GithubData = {
    accounts: new Map(),
    tokens: new Map(),
    repositories: new Map(),
    formerNames: new Map(),
    installations: new Map(),
    app: Object.assign(newApp(now()), options.app),
    manifestCodes: new Set(),
    signsIn: null,
    oauthCodes: new Map(),
    anonymousLimit: { limit: 60, used: 0, resetsAt: now() + hourMs },
    deliveries: [],
    now,
  }
  addAccount(data, data.app.owner, { type: 'Organization' })
  return data
}

/** Adds an account, or changes the existing one. A login that ends in `[bot]` is a bot's, as on GitHub. */
export function addAccount(data: GithubData, login: string, facts: Partial<Account> = {}): Account {
  const known = findAccount(data, login)
  if (known !== undefined) return Object.assign(known, facts)
  const type = login.endsWith('[bot]') ? 'Bot' : 'User'
  const account: Account = { id: nextId(), login, type, sso: false, ...facts }
  data.accounts.set(login.toLowerCase(), account)
  return account
}

export function addRepository(
  data: GithubData,
  owner: string,
  name: string,
  facts: Partial<Omit<Repository, 'roles'>> & { roles?: Record<string, Role> } = {},
): Repository {
  if (findAccount(data, owner) === undefined) addAccount(data, owner, { type: 'Organization' })
  const { roles = {}, ...others } = facts
  for (const login of Object.keys(roles)) addAccount(data, login)
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
    changes: new Map(),
    pulls: [],
    createdAt: new Date(data.now()),
    updatedAt: new Date(data.now()),
    pushedAt: new Date(data.now()),
    ...others,
  }
  data.repositories.set(repository.id, repository)
  return repository
}

/**
 * Adds a pull request; by default the owner opened it from a branch of the same repository. Its files and commits are by
 * default what was pushed to its head branch.
 */
export function addPull(data: GithubData, repository: Repository, facts: Partial<Pull> & { head: string }): Pull {
  const { author = repository.owner, base = repository.defaultBranch, headRepositoryId = repository.id } = facts
  addAccount(data, author)
  const at = new Date(data.now())
  const pushed = data.repositories.get(headRepositoryId ?? 0)?.changes.get(facts.head)
  const headSha = facts.headSha ?? repository.branches.get(facts.head) ?? newSha()
  const pull: Pull = {
    id: nextId(),
    number: Math.max(0, ...repository.pulls.map(({ number }) => number)) + 1,
    title: 'Work',
    body: null,
    author,
    authorAssociation: associationOf(repository, author),
    state: 'open',
    draft: false,
    headRepositoryId,
    headOwner: repository.owner,
    headSha,
    base,
    baseSha: repository.branches.get(base) ?? newSha(),
    mergeableState: 'clean',
    files: pushed?.files ?? [],
    commits: pushed?.commits ?? newCommits(data, [{ sha: headSha, committedAt: facts.createdAt ?? at }], author),
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

function associationOf({ owner, roles }: Repository, author: string): AuthorAssociation {
  if (author.toLowerCase() === owner.toLowerCase()) return 'OWNER'
  return roles.has(author) ? 'COLLABORATOR' : 'NONE'
}

/** Installs the App; by default on all repositories of the account. */
export function addInstallation(data: GithubData, login: string, facts: Partial<Installation> = {}): Installation {
  const account = findAccount(data, login) ?? addAccount(data, login, { type: 'Organization' })
  const installation: Installation = {
    id: nextId(),
    account: account.login,
    repositories: 'all',
    permissions: data.app.permissions,
    suspendedAt: null,
    createdAt: new Date(data.now()),
    ...facts,
  }
  data.installations.set(installation.id, installation)
  return installation
}
