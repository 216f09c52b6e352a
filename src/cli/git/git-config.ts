import { type Git, splitNul } from './git.ts'
import { type RemoteRepository, readOtherForge, readRemoteUrl, readRepositoryName } from './remote-url.ts'

/** Settings of git. The section and the last part of a key are in lower case. */
export interface GitConfig {
  /** The last value of a key. */
  get(key: string): string | undefined
  /** Whether a program is named that filters the content of files. */
  hasFilters: boolean
  remotes: readonly { name: string; url: string }[]
}

const wantedKeys =
  '^(core\\.worktree|user\\.name|headsup\\..*|remote\\..*\\.(url|gh-resolved)|branch\\..*\\.(remote|merge|gh-merge-base)|url\\..*\\.insteadof|filter\\..*)$'

export async function readGitConfig(git: Git): Promise<GitConfig> {
  return parseGitConfig((await git('config', '-z', '--get-regexp', wantedKeys)).stdout)
}

/** Parses the output of `git config -z --get-regexp`: a key, a line feed, the value. */
export function parseGitConfig(output: string): GitConfig {
  const values = new Map<string, string>()
  const remotes = new Map<string, string>()
  const aliases: { long: string; short: string }[] = []
  for (const entry of splitNul(output)) {
    const [key = '', ...rest] = entry.split('\n')
    const value = rest.join('\n')
    values.set(key, value)
    const remote = /^remote\.(.+)\.url$/s.exec(key)?.[1]
    // The first URL of a remote is the one that git fetches from.
    if (remote !== undefined && !remotes.has(remote)) remotes.set(remote, value)
    const long = /^url\.(.+)\.insteadof$/s.exec(key)?.[1]
    if (long !== undefined) aliases.push({ long, short: value })
  }
  aliases.sort((a, b) => b.short.length - a.short.length)
  return {
    get: (key) => values.get(key),
    hasFilters: [...values.keys()].some((key) => key.startsWith('filter.')),
    remotes: [...remotes].map(([name, url]) => {
      const found = aliases.find(({ short }) => short !== '' && url.startsWith(short))
      return { name, url: found ? found.long + url.slice(found.short.length) : url }
    }),
  }
}

/** The remote whose repository the work belongs to: the one of `gh repo set-default`, `upstream`, `origin`, or the only one. */
export function homeRemote({ get, remotes }: GitConfig): string | undefined {
  const named = (name: string) => remotes.find((remote) => remote.name === name)?.name
  const resolved = remotes.find(({ name }) => get(`remote.${name}.gh-resolved`) === 'base')?.name
  return resolved ?? named('upstream') ?? named('origin') ?? (remotes.length === 1 ? remotes[0]?.name : undefined)
}

/** The repository of the setting `headsup.repository`, else that of the home remote. */
export function homeRepository(config: GitConfig): RemoteRepository | undefined {
  const setting = config.get('headsup.repository')
  const remote = readRemoteUrl(homeUrl(config))
  const named = setting === undefined ? undefined : readRepositoryName(setting)
  // A token is looked up for the host of the remote.
  return named?.isHostOpen && remote ? { ...named, host: remote.host } : (named ?? remote)
}

/** The host of the home remote, where that is a forge that is known not to be GitHub. */
export function homeForge(config: GitConfig): string | undefined {
  return readOtherForge(homeUrl(config))
}

function homeUrl(config: GitConfig): string {
  const home = homeRemote(config)
  return config.remotes.find(({ name }) => name === home)?.url ?? ''
}

/** `owner/name` of every remote on GitHub. */
export function remoteRepositories({ remotes }: GitConfig): string[] {
  const found = remotes.map(({ url }) => readRemoteUrl(url))
  return [...new Set(found.flatMap((remote) => (remote ? [`${remote.owner}/${remote.name}`] : [])))].sort()
}
