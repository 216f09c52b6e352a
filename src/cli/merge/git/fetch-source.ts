import { isSafeForToken } from '../../client/service/api.ts'
import { isSameHost } from '../../client/service/github-host.ts'
import type { GitConfig } from '../../git/git-config.ts'
import { homeRemote } from '../../git/git-config.ts'
import { readRemoteUrl } from '../../git/remote-url.ts'
import { NotTried } from '../merge-result.ts'
import { isSwitchedOffIn } from '../switched-off.ts'

/** Where heads are fetched from. */
export type FetchSource = { transport: 'https'; url: URL; token: string } | { transport: 'ssh'; url: string }

interface Question {
  config: GitConfig
  /** The repository at GitHub: `owner/name`. */
  repository: string
  /** The address of the service's GitHub. */
  githubServer: URL
  token: string
}

/**
 * Heads come from the service's GitHub alone, with the token that Headsup sends there anyway. The user's ssh is used only where
 * the setting `headsup.merge` says so. Throws `NotTried`.
 */
export function findFetchSource({ config, repository, githubServer, token }: Question): FetchSource {
  if (isSwitchedOffIn(config)) throw new NotTried('off')
  if (config.get('headsup.merge')?.toLowerCase() === 'ssh') {
    const url = config.remotes.find(({ name }) => name === homeRemote(config))?.url ?? ''
    const remote = readRemoteUrl(url)
    const isSsh = /^(?:ssh|git\+ssh):\/\/|^[^/:]+:(?!\/\/)/i.test(url)
    if (!isSsh || !remote || !isSameHost(remote.host, githubServer.hostname)) throw new NotTried('no_remote')
    return { transport: 'ssh', url }
  }
  if (!/^[A-Za-z0-9_-]+\/[A-Za-z0-9._-]+$/.test(repository)) throw new NotTried('no_remote')
  if (!/^https?:$/.test(githubServer.protocol) || !isSafeForToken(githubServer)) throw new NotTried('access')
  return { transport: 'https', url: new URL(`/${repository}.git`, githubServer.origin), token }
}
