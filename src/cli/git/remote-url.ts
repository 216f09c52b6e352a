export interface RemoteRepository {
  host: string
  /** Whether only `owner/name` was given, so that the host is that of the service's GitHub. */
  isHostOpen?: boolean
  owner: string
  name: string
}

/** Hosts that are not GitHub. Any other host may be a GitHub Enterprise Server. */
const otherHosts =
  /(?:^|\.)(?:gitlab\.com|bitbucket\.org|codeberg\.org|gitea\.com|sr\.ht|azure\.com|visualstudio\.com)$/i

/**
 * The repository of a git remote's URL: `https://`, `ssh://` (with or without user and port), `git@host:owner/name`, with
 * or without `.git` and a trailing slash. Undefined for a local path, another host, or names that GitHub does not allow.
 */
export function readRemoteUrl(url: string): RemoteRepository | undefined {
  const { host, path } = splitUrl(url)
  const [, owner, name] = /^([A-Za-z0-9_-]{1,100})\/([A-Za-z0-9._-]{1,100}?)(?:\.git)?\/*$/.exec(path) ?? []
  if (!host || otherHosts.test(host) || !owner || !name || name === '.' || name === '..') return undefined
  return { host: host.toLowerCase(), owner, name }
}

/** The host of a remote's URL, where it is known not to be GitHub. */
export function readOtherForge(url: string): string | undefined {
  const { host } = splitUrl(url)
  return otherHosts.test(host) ? host.toLowerCase() : undefined
}

/** Both are empty for a local path. */
function splitUrl(url: string): { host: string; path: string } {
  const [, host = '', path = ''] =
    /^(?:https?|ssh|git|git\+ssh|git\+https):\/\/(?:[^/@]*@)?([^/:@]+|\[[^\]]+\])(?::\d*)?\/+(.+)$/i.exec(url) ??
    /^(?:[^/@:]+@)?([^/:@]{2,}|\[[^\]]+\]):(?!\/\/|\\)\/?(.+)$/.exec(url) ??
    []
  return { host, path }
}

/** The repository of `--repo`: `owner/name`, or a URL. */
export function readRepositoryName(text: string): RemoteRepository | undefined {
  const named = readRemoteUrl(text)
  if (named) return named
  const assumed = readRemoteUrl(`https://github.com/${text}`)
  return assumed && { ...assumed, isHostOpen: true }
}
