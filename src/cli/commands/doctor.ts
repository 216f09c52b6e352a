import { agentsWithHooks } from '../agents/install/installed-hooks.ts'
import { trustNotes } from '../agents/install/trust-notes.ts'
import type { Args } from '../args.ts'
import { ownVersion } from '../bundled-facts.ts'
import { type Json, textField } from '../client/json.ts'
import { createApi } from '../client/service/api.ts'
import { requireSameGithub } from '../client/service/github-host.ts'
import { type GivenAddress, notHeadsup, readServiceInfo, rootOf } from '../client/service/service-info.ts'
import { findToken } from '../client/service/token.ts'
import { type Command, sharedOptions } from '../command.ts'
import { chooseRepository, findAddress } from '../command-context.ts'
import { exitCodeOf, type Finding, fail, note, ok, serviceFindings } from '../doctor-report.ts'
import { exitCodes, Failure, ServiceAway, unavailable, usageError } from '../failure.ts'
import { findBases } from '../git/base-branch.ts'
import { gitIn } from '../git/git.ts'
import { readGitConfig } from '../git/git-config.ts'
import { findWorkTree, type WorkTree } from '../git/work-tree.ts'
import { type GitHookState, readGitHooks } from '../hooks/install-git-hooks.ts'
import { plain, safeJson } from '../output/plain-text.ts'
import { createStyler, type Terminal } from '../terminal.ts'

export const command: Command = {
  usage: '',
  summary: 'Say what works here and what does not: service, token, rights, GitHub App, hooks.',
  notes: 'The exit status is 0 where nothing fails, else 3 or 4. A note is worth knowing, and stops nothing.',
  examples: ['headsup doctor'],
  options: sharedOptions,
  async run(terminal, args) {
    if (args.positionals.length > 0) throw usageError('doctor takes no paths.')
    const findings = await examine(terminal, args)
    if (args.flag('json')) terminal.out(safeJson({ findings: findings.map(({ exitCode: _, ...shown }) => shown) }))
    else for (const finding of findings) terminal.out(lineOf(terminal, finding))
    return exitCodeOf(findings)
  },
}

const colours = { ok: 'green', note: 'yellow', fail: 'red' } as const

function lineOf(terminal: Terminal, { name, state, text }: Finding): string {
  return `${createStyler(terminal)(colours[state], state.padEnd(4))}  ${name.padEnd(13)}  ${plain(text)}`
}

/** Goes on after a failure, as far as what comes next does not need what failed. */
async function examine(terminal: Terminal, args: Args): Promise<Finding[]> {
  const tree = await findWorkTree(terminal)
  const service = await attempt('service', () => findService(terminal, args, tree))
  const repository = await attempt('repository', async () => {
    const found = chooseRepository(tree, args.text('repo'), terminal)
    // Nothing about the repository is sent to a service of another GitHub.
    if (service.found && !found.isHostOpen) {
      const { host } = found
      await requireSameGithub({ terminal, service: service.found.url, host, stateDirectory: tree?.stateDirectory })
    }
    return { found, finding: ok('repository', `${found.owner}/${found.name}`) }
  })
  const host = repository.found?.host ?? 'github.com'
  const token = await attempt('token', async () => {
    const found = await findToken(terminal, host)
    return { found, finding: undefined }
  })
  const findings = [service.finding, repository.finding, token.finding].flatMap((finding) => finding ?? [])
  if (service.found && repository.found && token.found) {
    const { owner, name } = repository.found
    const address = service.found
    const { isHook, signal } = terminal
    const api = createApi({ owner, name, ...token.found, ...address, isHook, signal })
    findings.push(
      ...(await examineAccess(() => api.call('GET', '/settings'), token.found.from, { url: address.url, terminal })),
    )
  }
  if (tree && service.found && repository.found && token.found) {
    const { owner, name } = repository.found
    const own = { repository: `${owner}/${name}`, service: service.found.url, token: token.found.token }
    const context = { ...own, terminal, args, config: tree.config, readChanges: async () => undefined }
    const { mergeFinding } = await import('../merge/merge-finding.ts')
    findings.push(...(await mergeFinding(context, await findBases(tree, undefined))))
  }
  return [...findings, ...(await hooksFindings(terminal))]
}

interface Attempt<Found> {
  found?: Found
  finding: Finding | undefined
}

async function attempt<Found>(name: string, work: () => Promise<Attempt<Found>>): Promise<Attempt<Found>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) return { finding: fail(name, error) }
    throw error
  }
}

async function findService(terminal: Terminal, args: Args, tree: WorkTree | undefined): Promise<Attempt<GivenAddress>> {
  const config = tree?.config ?? (await readGitConfig(gitIn(undefined, terminal)))
  const address = findAddress(terminal, args, config)
  const { url } = address
  const { status, info } = await readServiceInfo(url, terminal.signal)
  if (status === 429 || status >= 500) throw unavailable(`${rootOf(url)} responded with ${status}.`, status)
  if (!info) throw notHeadsup(address, status)
  const [theirs, own] = [textField(info, 'version') ?? 'unknown', ownVersion()]
  const server = textField(info, 'github_server_url') ?? ''
  const text = `${rootOf(url)} answers, version ${theirs}, for ${server}`
  if (theirs === own) return { found: address, finding: ok('service', `${text}.`) }
  const hint = 'the single file is renewed by `headsup upgrade`.'
  return { found: address, finding: note('service', `${text}. This command line is version ${own}: ${hint}`) }
}

async function examineAccess(
  readSettings: () => Promise<Json>,
  from: string,
  { url, terminal }: { url: URL; terminal: Terminal },
): Promise<Finding[]> {
  try {
    const settings = await readSettings()
    const valid = ok('token', `the one from ${from} is valid.`)
    return [valid, ...serviceFindings(settings, { url: rootOf(url), now: terminal.now() })]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [fail(nameOfFailure(error), error)]
  }
}

/** What failed where a request for the settings did. */
function nameOfFailure(error: Failure): string {
  if (error instanceof ServiceAway && error.code?.startsWith('github_')) return 'github'
  if (error.status === 401) return 'token'
  return error.status === 403 || error.status === 404 ? 'rights' : 'service'
}

async function hooksFindings(terminal: Terminal): Promise<Finding[]> {
  const hooks = await readGitHooks(terminal).catch((error: unknown) => {
    if (error instanceof Failure) return []
    throw error
  })
  const agents = agentsWithHooks(terminal)
  const running = hooks.filter(({ runs }) => runs)
  const installed = [...agents, ...(running.length > 0 ? ['git'] : [])]
  const problems = gitHookFindings(hooks)
  if (installed.length === 0)
    return [
      note('hooks', 'none are installed here: `headsup hook install` adds those of Claude Code and git.'),
      ...problems,
    ]
  const trust = agents.flatMap((name) => trustNotes[name] ?? [])
  const texts = trust.map((text) => note('hooks', text))
  return [ok('hooks', `installed here for ${installed.join(', ')}.`), ...texts, ...problems]
}

/** A missing hook is worth a note where the other one runs, or where a manager has a say. */
function gitHookFindings(hooks: readonly GitHookState[]): Finding[] {
  const findings = hooks.flatMap(({ name, runs, problem, isLost }) => {
    if (problem !== undefined)
      return isLost ? fail('hooks', { message: problem, exitCode: exitCodes.refused }) : note('hooks', problem)
    if (runs || !hooks.some((other) => other.runs)) return []
    return note('hooks', `git runs no ${name} hook of ours: \`headsup hook install git\` adds it.`)
  })
  return findings.filter(({ text }, index) => findings.findIndex((other) => other.text === text) === index)
}
