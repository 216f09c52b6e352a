import type { Args } from './args.ts'
import { type Api, createApi, isPrivateAddress, readAddress } from './client/api.ts'
import { findToken } from './client/token.ts'
import { openWorkState, type SavedWork, type WorkState } from './client/work-state-file.ts'
import { couldNotAsk, usageFault } from './failure.ts'
import { type BaseBranch, type Bases, findBase } from './git/base-branch.ts'
import { gitIn } from './git/git.ts'
import { type GitConfig, homeRepository, readGitConfig, remoteRepositories } from './git/git-config.ts'
import { locateWorkTree } from './git/locate-work-tree.ts'
import { readRepositoryName } from './git/remote-url.ts'
import { findWorkTree, type WorkTree } from './git/work-tree.ts'
import type { Terminal } from './terminal.ts'

/** Where a command is at work: everything that it knows by itself. */
export interface CommandContext {
  terminal: Terminal
  args: Args
  /** Undefined outside of any, where `--repo` says the repository. */
  tree: WorkTree | undefined
  /** Outside of a work tree the settings of the person and the machine. */
  config: GitConfig
  /** `owner/name` */
  repository: string
  branch: string | null
  api: Api
  memory: WorkState | undefined
}

export async function openCommandContext(terminal: Terminal, args: Args, found?: WorkTree): Promise<CommandContext> {
  const tree = found ?? (await findWorkTree(terminal))
  const { host, owner, name } = findRepository(tree, args.text('repo'), terminal)
  const config = tree?.config ?? (await readGitConfig(gitIn(undefined, terminal)))
  const url = findAddress(terminal, args, config)
  const api = createApi({ url, owner, name, signal: terminal.signal, ...(await findToken(terminal, host)) })
  const repository = `${owner}/${name}`
  const here = findRepositoryHere(tree)
  return {
    terminal,
    args,
    tree,
    config,
    repository,
    branch:
      args.text('branch') ?? (here === undefined || here === repository.toLowerCase() ? (tree?.branch ?? null) : null),
    api,
    memory: tree && openWorkState(tree.memory, repository),
  }
}

function findRepositoryHere(tree: WorkTree | undefined): string | undefined {
  const found = tree && homeRepository(tree.config)
  return found && `${found.owner}/${found.name}`.toLowerCase()
}

function findRepository(tree: WorkTree | undefined, given: string | undefined, terminal: Terminal) {
  const found = given === undefined ? tree && homeRepository(tree.config) : readRepositoryName(given)
  if (found) return found
  if (given !== undefined) throw usageFault('--repo is OWNER/NAME.')
  const some = tree ? remoteRepositories(tree.config) : []
  if (some.length > 0) {
    throw couldNotAsk(
      `Which repository it is can't be told from the remotes: name it by --repo OWNER/NAME, such as ${some.join(', ')}.`,
    )
  }
  if (tree) throw couldNotAsk('No remote of this work tree is a repository on GitHub: name it by --repo OWNER/NAME.')
  const located = locateWorkTree(terminal)
  const refusal = 'refusal' in located ? located.refusal : `git finds no work tree in ${located.top}`
  throw couldNotAsk(`${refusal}, or name the repository by --repo OWNER/NAME.`)
}

/** The address of the service. Fails where a token would go to another machine unencrypted. */
function findAddress(terminal: Terminal, args: Args, config: GitConfig): URL {
  const url = namedAddress(terminal, args, config)
  if (isPrivateAddress(url) || args.flag('insecure')) return url
  throw usageFault(
    `${url.origin} is on another machine and not https, so the token could be read on the way: use https, or allow it by --insecure.`,
  )
}

function namedAddress({ env }: Terminal, args: Args, config: GitConfig): URL {
  const given = args.text('url')
  if (given !== undefined) return readAddress(given, '--url')
  if (env.HEADSUP_URL) return readAddress(env.HEADSUP_URL, 'HEADSUP_URL')
  return readAddress(config.get('headsup.url') ?? 'http://127.0.0.1:3000', 'The git setting headsup.url')
}

/** What is remembered of the branch that the command is about. */
export async function savedWork({ memory, branch }: CommandContext): Promise<SavedWork | undefined> {
  return memory?.get(branch)
}

/** The base branch of the work, given or remembered or found. */
export async function basesOf({ tree, args }: CommandContext, work: SavedWork | undefined): Promise<Bases> {
  const given = args.text('base') ?? work?.base
  if (tree) return findBase(tree, given)
  return { base: given === undefined ? null : { name: given, refs: [] }, defaultBranch: null }
}

/** The branch as the service is told it; a branch that is its own base has none. */
export function branchFields(branch: string | null, base: BaseBranch | null) {
  return {
    ...(branch !== null && { branch }),
    ...(base && base.name !== branch && { base_branch: base.name }),
  }
}
