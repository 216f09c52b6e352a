import type { Args } from './args.ts'
import { bundledAddress } from './bundled-facts.ts'
import { type Api, createApi, isSafeForToken, readAddress } from './client/service/api.ts'
import { otherForge, requireSameGithub } from './client/service/github-host.ts'
import type { GivenAddress } from './client/service/service-info.ts'
import { findToken } from './client/service/token.ts'
import { openWorkState, type SavedWork, type WorkState } from './client/work/work-state-file.ts'
import { collectFailures, exitCodes, Failure, unavailable, usageError } from './failure.ts'
import { type BaseBranch, type Bases, findBases } from './git/base-branch.ts'
import { gitIn } from './git/git.ts'
import { type GitConfig, homeForge, homeRepository, readGitConfig, remoteRepositories } from './git/git-config.ts'
import { locateWorkTree } from './git/locate-work-tree.ts'
import { readChanges, type WorkTreeChanges } from './git/read-changes.ts'
import { readRepositoryName } from './git/remote-url.ts'
import { findWorkTree, type WorkTree } from './git/work-tree.ts'
import { forgetKept, keptFolder, sweepKept } from './merge/kept/kept-files.ts'
import { remembered } from './remembered.ts'
import type { Terminal } from './terminal.ts'

/** What a command finds out by itself: the work tree, the repository, the branch, the service. */
export interface CommandContext {
  terminal: Terminal
  args: Args
  /** Undefined outside of a work tree, where `--repo` names the repository. */
  tree: WorkTree | undefined
  /** Outside of a work tree, the settings of the user and the machine. */
  config: GitConfig
  /** `owner/name` */
  repository: string
  branch: string | null
  /** The address of the service. */
  service: URL
  token: string
  api: Api
  /** The same service about another repository. */
  apiOf(repository: { owner: string; name: string }): Api
  /** Undefined outside of a work tree. */
  workState: WorkState | undefined
  /** The base branch, with the one that is given. git is asked once. */
  findBases(given: string | undefined): Promise<Bases>
  /**
   * What the branch changes; undefined unless it is checked out here. git is asked once for each base. Prints a note where some
   * changes do not count.
   */
  readChanges(base: BaseBranch | null): Promise<WorkTreeChanges | undefined>
}

export async function openCommandContext(terminal: Terminal, args: Args, known?: WorkTree): Promise<CommandContext> {
  const tree = known ?? (await findWorkTree(terminal))
  const config = tree?.config ?? (await readGitConfig(gitIn(undefined, terminal)))
  const lacking = collectFailures()
  const found = await lacking.attempt(() => chooseRepository(tree, args.text('repo'), terminal))
  const address = await lacking.attempt(() => findAddress(terminal, args, config))
  const token = await lacking.attempt(() => findToken(terminal, found?.host ?? 'github.com'))
  const kept = keptFolder(terminal.env)
  // After a day or a sign-out, nothing of others is left here.
  if (token && kept !== undefined) sweepKept(kept, terminal.now())
  if (!token && kept !== undefined && !terminal.signal.aborted) forgetKept(kept)
  if (!found || !address || !token) throw lacking.failure()
  const { host, owner, name, isHostOpen } = found
  if (!isHostOpen) {
    await requireSameGithub({ terminal, service: address.url, host, stateDirectory: tree?.stateDirectory })
  }
  const { isHook, signal } = terminal
  const note = (text: string) => terminal.err(`Note: ${text}`)
  const remotes = tree ? remoteRepositories(tree.config) : []
  const apiOf: CommandContext['apiOf'] = (of) => {
    const otherRemotes = remotes.filter((remote) => remote !== `${of.owner}/${of.name}`)
    return createApi({ owner: of.owner, name: of.name, ...token, ...address, otherRemotes, isHook, note, signal })
  }
  const repository = `${owner}/${name}`
  const ownRepository = repositoryOfWorkTree(tree)
  // The checked-out branch is one of this work tree's repository only.
  const isOwn = ownRepository === undefined || ownRepository === repository.toLowerCase()
  const branch = args.text('branch') ?? (isOwn ? (tree?.branch ?? null) : null)
  return {
    terminal,
    args,
    tree,
    config,
    repository,
    branch,
    service: address.url,
    token: token.token,
    api: apiOf({ owner, name }),
    apiOf,
    workState: tree && openWorkState(tree.stateDirectory, repository),
    findBases: remembered(async (given) => (tree ? findBases(tree, given) : namedBase(given))),
    readChanges: remembered(async (base) =>
      tree?.branch === branch ? readWithNotes(tree, base, terminal) : undefined,
    ),
  }
}

async function readWithNotes(tree: WorkTree, base: BaseBranch | null, { err, changesLimitMs }: Terminal) {
  const changes = await readChanges(tree, base, changesLimitMs)
  for (const note of notesOn(changes)) err(`Note: ${note}`)
  return changes
}

function notesOn({ note, unreadable }: WorkTreeChanges): string[] {
  const [files, their] = unreadable === 1 ? ['file does', 'its name is'] : ['files do', 'their names are']
  const left = unreadable === 0 ? [] : [`${unreadable} changed ${files} not count, since ${their} not UTF-8.`]
  return note === undefined ? left : [note, ...left]
}

function repositoryOfWorkTree(tree: WorkTree | undefined): string | undefined {
  const found = tree && homeRepository(tree.config)
  return found && `${found.owner}/${found.name}`.toLowerCase()
}

/** The repository of `--repo`, else of the work tree. Throws without one. */
export function chooseRepository(tree: WorkTree | undefined, given: string | undefined, terminal: Terminal) {
  const found = given === undefined ? tree && homeRepository(tree.config) : readRepositoryName(given)
  if (found) return found
  if (given !== undefined) throw usageError('--repo must be OWNER/NAME.')
  const candidates = tree ? remoteRepositories(tree.config) : []
  if (candidates.length > 0) {
    throw unavailable(
      `The remotes do not say which repository is meant: name it by --repo OWNER/NAME, such as ${candidates.join(', ')}.`,
    )
  }
  const forge = tree && homeForge(tree.config)
  if (forge !== undefined) throw otherForge(forge)
  if (tree)
    throw unavailable(
      'No remote of this work tree is a repository on GitHub: name the repository by --repo OWNER/NAME.',
    )
  const located = locateWorkTree(terminal)
  const refusal = 'refusal' in located ? located.refusal : `git finds no work tree in ${located.top}`
  throw unavailable(`${refusal}, or name the repository by --repo OWNER/NAME.`)
}

/** The address of the service. Throws where a token would be sent unencrypted to another machine. */
export function findAddress(terminal: Terminal, args: Args, config: GitConfig): GivenAddress {
  const address = readConfiguredAddress(terminal, args, config)
  const { url } = address
  if (isSafeForToken(url) || args.flag('insecure')) return address
  throw usageError(
    `${url.origin} is another machine without https, where others could read the token: use https, or allow http by --insecure.`,
  )
}

/** The address of the service as text: empty where it is not valid. */
export async function currentAddress(terminal: Terminal, args: Args): Promise<string> {
  try {
    const located = locateWorkTree(terminal)
    const config = await readGitConfig(gitIn('refusal' in located ? undefined : located, terminal))
    return readConfiguredAddress(terminal, args, config).url.href
  } catch {
    return ''
  }
}

function readConfiguredAddress({ env }: Terminal, args: Args, config: GitConfig): GivenAddress {
  const read = (text: string, addressFrom: string) => ({ url: readAddress(text, addressFrom), addressFrom })
  const given = args.text('url')
  if (given !== undefined) return read(given, '--url')
  if (env.HEADSUP_URL) return read(env.HEADSUP_URL, 'HEADSUP_URL')
  const configured = config.get('headsup.url')
  if (configured !== undefined) return read(configured, 'The git setting headsup.url')
  return read(bundledAddress ?? 'http://127.0.0.1:3000', 'The address in this file')
}

/** The saved work of the branch of this command. */
export async function savedWork({ workState, branch }: CommandContext): Promise<SavedWork | undefined> {
  return workState?.get(branch)
}

/** The id of the work that was started here. Throws without one. */
export async function requireSavedId(context: CommandContext): Promise<string> {
  const id = (await savedWork(context))?.id
  if (id === undefined) throw new Failure(exitCodes.refused, 'No work was started here: `headsup start` records it.')
  return id
}

/** The base branch of the work: from `--base`, saved, or found. */
export function basesOf({ findBases, args }: CommandContext, work: SavedWork | undefined): Promise<Bases> {
  return findBases(args.text('base') ?? work?.base)
}

/** The bases outside of a work tree. */
function namedBase(given: string | undefined): Bases {
  return { base: given === undefined ? null : { name: given, refs: [] }, defaultBranch: null }
}

/** The branch fields of a request. A branch that is its own base is sent without a base. */
export function branchFields(branch: string | null, base: BaseBranch | null) {
  return {
    ...(branch !== null && { branch }),
    ...(base && base.name !== branch && { base_branch: base.name }),
  }
}
