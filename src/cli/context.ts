import { repositoryKey } from '../core/names.ts'
import { type Api, type ApiOptions, createApi } from './api.ts'
import { type Base, findBase, shortName } from './git/base.ts'
import { type OwnChanges, readChanges } from './git/changes.ts'
import type { GitConfig } from './git/config.ts'
import { issueOfBranch } from './git/issue.ts'
import { isSameHost, type RepositoryName, readRemoteUrl } from './git/remote-url.ts'
import { readSurroundings, type WorkTree } from './git/work-tree.ts'
import { chooseRepository, type FoundRepository } from './repository.ts'
import { findAddress, githubServerOf, isFresh, requireSameGithub } from './service.ts'
import { type KeptFacts, openState, type StateFile } from './state.ts'
import { once, ServiceAway, type Terminal, undefinedIf } from './terminal.ts'
import { type FoundToken, findToken } from './token.ts'

/** The flags that many commands have, as commander gives them. */
export interface CommonOptions {
  repo?: string
  url?: string
  branch?: string
  base?: string
  /** False: `--no-issue`. */
  issue?: number[] | false
  json?: boolean
}

/** What a command finds by itself. What not all commands need is found when it is asked for, once. */
export interface Context {
  terminal: Terminal
  options: CommonOptions
  config: GitConfig
  /** The work tree, if it is one of this repository. */
  tree: WorkTree | undefined
  repository: FoundRepository
  service: URL
  token: FoundToken
  api: Api
  state: StateFile
  /** The branch of the work; null for a detached head and outside of a work tree. */
  branch: string | null
  /** The numbers of `--issue`, else of the branch; undefined where neither names one. */
  issues: number[] | undefined
  /** What the service says of the repository, kept for a day. */
  repositoryFacts(): Promise<KeptFacts>
  /** The base branch that is sent, and what the work is compared with. */
  base(): Promise<Base>
  /** What the work tree changes; undefined where another branch than the one that is checked out is meant. */
  changes(): Promise<OwnChanges | undefined>
}

/** Throws a `Failure` that says what is missing. `mayWait`: see `ApiOptions`. */
export async function openContext(
  terminal: Terminal,
  options: CommonOptions,
  { mayWait }: Pick<ApiOptions, 'mayWait'> = { mayWait: true },
): Promise<Context> {
  const surroundings = await readSurroundings(terminal)
  const { config } = surroundings
  const repository = chooseRepository(surroundings, options.repo)
  const service = findAddress(options.url, terminal, config)
  const state = openState(surroundings.tree, terminal)
  const githubServer = await githubServerOf(service, state, terminal)
  if (repository.host !== undefined) requireSameGithub(service, githubServer, repository.host)
  const token = await findToken(githubServer.hostname, terminal)
  const apiOf = (of: RepositoryName) =>
    createApi({ service, repository: of, token: token.token, tokenFrom: token.from, signal: terminal.signal, mayWait })
  const factsOf = (of: RepositoryName) => readFacts({ terminal, state, service, githubServer }, of, apiOf(of))
  const tree = (await isOwnTree(surroundings.tree, repository, githubServer, factsOf)) ? surroundings.tree : undefined
  const branch = options.branch?.replace(/^refs\/heads\//, '') ?? tree?.branch ?? null
  const repositoryFacts = once(() => factsOf(repository))
  const base = once(() => baseOf(tree, options.base, repository.remote, repositoryFacts))
  return {
    ...{ terminal, options, config, tree, repository, service, token, state, branch },
    ...{ repositoryFacts, base },
    api: apiOf(repository),
    issues: issuesOf(options, branch),
    changes: once(async () =>
      tree !== undefined && branch === tree.branch ? readChanges(tree, await base()) : undefined,
    ),
  }
}

/**
 * Whether the work tree belongs to the repository: it is that of a remote, or the parent of `origin`. An answer about a fork that
 * nobody chose says to ask for its parent by `--repo`. The changes of another repository are nobody's business here.
 */
async function isOwnTree(
  tree: WorkTree | undefined,
  repository: FoundRepository,
  githubServer: URL,
  factsOf: (of: RepositoryName) => Promise<KeptFacts>,
): Promise<boolean> {
  if (tree === undefined) return false
  if (repository.remote !== undefined) return true
  const origin = tree.config.remotes.find(({ name }) => name === 'origin')
  const own = origin && readRemoteUrl(origin.url)
  if (!own || !isSameHost(own.host, githubServer.hostname)) return false
  // Who may not see it knows no parent. Where the service is away, nothing is known.
  const facts = await undefinedIf((failure) => !(failure instanceof ServiceAway), factsOf(own))
  return facts?.parent?.toLowerCase() === repositoryKey(repository.owner, repository.name)
}

function issuesOf({ issue }: CommonOptions, branch: string | null): number[] | undefined {
  if (issue === false) return []
  const found = branch === null ? undefined : issueOfBranch(branch)
  return issue ?? (found === undefined ? undefined : [found])
}

async function baseOf(
  tree: WorkTree | undefined,
  given: string | undefined,
  remote: string | undefined,
  repositoryFacts: () => Promise<KeptFacts>,
): Promise<Base> {
  // Without a clone nothing tells which branches there are.
  if (tree === undefined) return { named: given === undefined ? null : shortName(given, ['origin']), ref: null }
  const { defaultBranch } = await repositoryFacts()
  return findBase(tree, { given, remote, defaultBranch })
}

async function readFacts(
  { terminal, state, service, githubServer }: Pick<Context, 'terminal' | 'state' | 'service'> & { githubServer: URL },
  { owner, name }: RepositoryName,
  api: Api,
): Promise<KeptFacts> {
  const [of, now] = [{ service: service.href, repository: repositoryKey(owner, name) }, terminal.now()]
  const isThis = (one: KeptFacts) => one.service === of.service && one.repository === of.repository
  const kept = state.read().repositoryFacts.find((one) => isThis(one) && isFresh(one.readAt, now))
  if (kept) return kept
  const { default_branch: defaultBranch, parent, public: isPublic } = await api.settings()
  const read = { ...of, githubServerUrl: githubServer.href, defaultBranch, parent, isPublic, readAt: now }
  state.update((all) => ({ ...all, repositoryFacts: [...all.repositoryFacts.filter((one) => !isThis(one)), read] }))
  return read
}

/** The parts of a request that say which branch the work is on. */
export function branchFields({ branch }: Context, base: Base): { branch?: string; base_branch?: string } {
  return { ...(branch !== null && { branch }), ...(base.named !== null && { base_branch: base.named }) }
}
