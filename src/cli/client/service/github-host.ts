import { join } from 'node:path'
import type { Args } from '../../args.ts'
import { exitCodes, Failure, ServiceAway } from '../../failure.ts'
import { type GitConfig, homeForge, homeRepository } from '../../git/git-config.ts'
import { hostOfSshAlias } from '../../git/ssh-alias.ts'
import { plain } from '../../output/plain-text.ts'
import type { Terminal } from '../../terminal.ts'
import { numberField, textField } from '../json.ts'
import { readJsonFile, writeJsonFile } from '../work/work-state-file.ts'
import { readServiceInfo } from './service-info.ts'

/** The remote is not on the GitHub of the service. */
export class OtherForge extends Failure {
  constructor(message: string) {
    super(exitCodes.unavailable, message)
  }
}

/** Whether `--repo`, a setting or the remote names a repository. Throws `OtherForge` where the remote is known not to be on GitHub. */
export function hasRepository(config: GitConfig, args: Args): boolean {
  if (homeRepository(config) || args.text('repo') !== undefined) return true
  const forge = homeForge(config)
  if (forge === undefined) return false
  throw otherForge(forge)
}

export function otherForge(forge: string): OtherForge {
  return new OtherForge(
    `The remote is on ${plain(forge)}, which is not GitHub. For a mirror, set \`git config headsup.repository OWNER/NAME\`.`,
  )
}

interface Question {
  terminal: Pick<Terminal, 'env' | 'signal' | 'now'>
  /** The address of the service. */
  service: URL
  /** The host of the remote. */
  host: string
  /** Where the answer of the service is kept; undefined outside of a work tree. */
  stateDirectory: string | undefined
}

/**
 * Throws `OtherForge` unless the host of the remote is that of the service's GitHub: nothing about a repository is sent
 * to a service of another one (docs/rules.md#service-information). An alias of ssh counts as its host.
 */
export async function requireSameGithub(question: Question): Promise<void> {
  const { terminal, service, host } = question
  const githubHost = await findGithubHost(question)
  if (githubHost === undefined || isSameHost(host, githubHost)) return
  if (isSameHost(await hostOfSshAlias(terminal, host), githubHost)) return
  const remote = plain(host)
  throw new OtherForge(
    `The remote is on ${remote}, but ${service.origin} knows the repositories of ${plain(githubHost)} alone: name a service for ${remote} by --url or HEADSUP_URL.`,
  )
}

/** GitHub's own hosts for git over ssh, also through a firewall, are those of its web site. */
export function isSameHost(host: string, githubHost: string): boolean {
  const named = (name: string) => name.toLowerCase().replace(/^(?:www|ssh)\.(?=github\.com$)/, '')
  return named(host) === named(githubHost)
}

const keptMs = 24 * 3_600_000

/** The host of the service's GitHub, requested once a day; undefined for a service that does not return it. */
async function findGithubHost({ terminal, service, stateDirectory }: Question): Promise<string | undefined> {
  const file = stateDirectory && join(stateDirectory, 'service.json')
  const saved = file === undefined ? {} : await readJsonFile(file)
  const age = terminal.now() - (numberField(saved, 'readAt') ?? 0)
  if (textField(saved, 'service') === service.href && age >= 0 && age < keptMs) return textField(saved, 'githubHost')
  const githubHost = await askGithubHost(service, terminal.signal)
  const facts = { service: service.href, githubHost, readAt: terminal.now() }
  // Without the file, the host is requested again.
  if (file !== undefined && githubHost !== undefined) await writeJsonFile(file, facts).catch(() => {})
  return githubHost
}

async function askGithubHost(service: URL, signal: AbortSignal): Promise<string | undefined> {
  const { status, info = {} } = await readServiceInfo(service, signal)
  if (status === 429 || status >= 500) throw new ServiceAway(`${service.origin} responded with ${status}.`, status)
  const address = textField(info, 'github_server_url') ?? ''
  return URL.canParse(address) ? new URL(address).hostname : undefined
}
