import { isRepositoryName } from '../../core/names.ts'

export interface RepositoryName {
  owner: string
  name: string
}

export interface RemoteRepository extends RepositoryName {
  /** In lower case. */
  host: string
}

/**
 * The repository of a remote's URL: `https://`, `ssh://` (with or without user and port), `git@host:owner/name`, with or without
 * `.git` and a slash at the end. Undefined for a local path, and for names that GitHub does not allow.
 */
export function readRemoteUrl(url: string): RemoteRepository | undefined {
  const { host, path } = splitUrl(url)
  const names = readRepositoryName(path.replace(/\/+$/, '').replace(/\.git$/, ''))
  return host === '' || names === undefined ? undefined : { host, ...names }
}

/** `OWNER/NAME`; undefined for anything else. */
export function readRepositoryName(text: string): RepositoryName | undefined {
  const [owner = '', name = '', ...rest] = text.split('/')
  return rest.length === 0 && isRepositoryName(owner, name) ? { owner, name } : undefined
}

/** GitHub's own hosts for git over ssh, also through a firewall, are those of its web site. */
export function isSameHost(a: string, b: string): boolean {
  const named = (host: string) => host.toLowerCase().replace(/^(?:www|ssh)\.(?=github\.com$)/, '')
  return named(a) === named(b)
}

/** Both are empty for a local path. A single letter before a colon is a drive of Windows. */
function splitUrl(url: string): { host: string; path: string } {
  const [, host = '', path = ''] =
    /^(?:https?|ssh|git|git\+ssh|git\+https):\/\/(?:[^/@]*@)?([^/:@]+)(?::\d*)?\/+(.+)$/i.exec(url) ??
    /^(?:[^/@:]+@)?([^/:@]{2,}):(?!\/\/|\\)\/?(.+)$/.exec(url) ??
    []
  return { host: host.toLowerCase(), path }
}
