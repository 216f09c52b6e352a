import { entries, type Git } from './git.ts'
import { type RemoteRepository, readRemoteUrl, readRepositoryName } from './remote-url.ts'

/** Values by their key, whose section and last part are in lower case; the last value counts. */
export interface GitConfig {
  get(key: string): string | undefined
  remotes: readonly { name: string; url: string }[]
}

const wanted =
  '^(user\\.name|headsup\\..*|remote\\..*\\.(url|gh-resolved)|branch\\..*\\.(remote|merge|gh-merge-base)|url\\..*\\.insteadof)$'

export async function readGitConfig(git: Git): Promise<GitConfig> {
  return parseGitConfig((await git('config', '-z', '--get-regexp', wanted)).stdout)
}

/** Reads `git config -z --get-regexp`: `key`, a line feed, the value. */
export function parseGitConfig(output: string): GitConfig {
  const values = new Map<string, string>()
  const remotes = new Map<string, string>()
  const shorthands: { long: string; short: string }[] = []
  for (const entry of entries(output)) {
    const [key = '', ...rest] = entry.split('\n')
    const value = rest.join('\n')
    values.set(key, value)
    const remote = /^remote\.(.+)\.url$/s.exec(key)?.[1]
    // The first URL of a remote is the one that git fetches from.
    if (remote !== undefined && !remotes.has(remote)) remotes.set(remote, value)
    const long = /^url\.(.+)\.insteadof$/s.exec(key)?.[1]
    if (long !== undefined) shorthands.push({ long, short: value })
  }
  shorthands.sort((a, b) => b.short.length - a.short.length)
  return {
    get: (key) => values.get(key),
    remotes: [...remotes].map(([name, url]) => {
      const found = shorthands.find(({ short }) => short !== '' && url.startsWith(short))
      return { name, url: found ? found.long + url.slice(found.short.length) : url }
    }),
  }
}

/** The remote whose repository the work belongs to: the one `gh` was told, `upstream`, `origin`, or the only one. */
export function homeRemote({ get, remotes }: GitConfig): string | undefined {
  const named = (name: string) => remotes.find((remote) => remote.name === name)?.name
  const resolved = remotes.find(({ name }) => get(`remote.${name}.gh-resolved`) === 'base')?.name
  return resolved ?? named('upstream') ?? named('origin') ?? (remotes.length === 1 ? remotes[0]?.name : undefined)
}

/** The setting `headsup.repository`, else what the home remote says. */
export function homeRepository(config: GitConfig): RemoteRepository | undefined {
  const set = config.get('headsup.repository')
  const home = homeRemote(config)
  const remote = readRemoteUrl(config.remotes.find(({ name }) => name === home)?.url ?? '')
  const named = set === undefined ? undefined : readRepositoryName(set)
  return named && remote ? { ...named, host: remote.host } : (named ?? remote)
}

/** `owner/name` of every remote that is on GitHub, to choose from where none is the home remote. */
export function remoteRepositories({ remotes }: GitConfig): string[] {
  const found = remotes.map(({ url }) => readRemoteUrl(url))
  return [...new Set(found.flatMap((remote) => (remote ? [`${remote.owner}/${remote.name}`] : [])))].sort()
}
