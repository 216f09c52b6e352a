export interface RemoteRepository {
  host: string
  owner: string
  name: string
}

/** Forges that are surely not GitHub: a repository of the same name there is another one. Any other host may be an Enterprise Server. */
const otherForges =
  /(?:^|\.)(?:gitlab\.com|bitbucket\.org|codeberg\.org|gitea\.com|sr\.ht|azure\.com|visualstudio\.com)$/i

/**
 * What a git remote's URL says: `https://`, `ssh://` (user and port or not), `git@host:owner/name`, with or without
 * `.git` and a slash at the end. Undefined for a local path, another forge, and whatever has no owner and name of GitHub's form.
 */
export function readRemoteUrl(url: string): RemoteRepository | undefined {
  const [, host = '', path = ''] =
    /^(?:https?|ssh|git|git\+ssh|git\+https):\/\/(?:[^/@]*@)?([^/:@]+|\[[^\]]+\])(?::\d*)?\/+(.+)$/i.exec(url) ??
    /^(?:[^/@:]+@)?([^/:@]{2,}|\[[^\]]+\]):(?!\/\/|\\)\/?(.+)$/.exec(url) ??
    []
  const [, owner, name] = /^([A-Za-z0-9_-]{1,100})\/([A-Za-z0-9._-]{1,100}?)(?:\.git)?\/*$/.exec(path) ?? []
  if (!host || otherForges.test(host) || !owner || !name || name === '.' || name === '..') return undefined
  return { host: host.toLowerCase(), owner, name }
}

/** `owner/name` as a person gives it to `--repo`; a URL will do as well. */
export function readRepositoryName(text: string): RemoteRepository | undefined {
  return readRemoteUrl(text) ?? readRemoteUrl(`https://github.com/${text}`)
}
