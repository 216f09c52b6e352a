import { execFileSync } from 'node:child_process'

/** A public repository to try if the working directory has no GitHub remote. */
const example = 'octocat/Hello-World'

/** Returns `owner/name` of the working directory's `origin` if that is a repository of this GitHub. */
function originRepository(serverUrl: string): string | undefined {
  try {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
    const origin = execFileSync('git', ['remote', 'get-url', 'origin'], { encoding: 'utf8', stdio })
    return repositoryOfRemote(origin.trim(), new URL(serverUrl).hostname)
  } catch {
    return undefined
  }
}

/** Reads `owner/name` from `git@host:owner/name.git`, `https://host/owner/name` and so on; undefined for another host. */
export function repositoryOfRemote(remote: string, host: string): string | undefined {
  const [, found, path] = /^(?:[a-z]+:\/\/)?(?:[^@/]*@)?([^/:@]+)(?::\d+)?[:/](.+)$/.exec(remote) ?? []
  if (found?.toLowerCase() !== host.toLowerCase()) return undefined
  return /^([A-Za-z0-9_-]+\/[A-Za-z0-9._-]+?)(?:\.git)?\/?$/.exec(path ?? '')?.[1]
}

/** Returns the text that the service prints after the start: its URL and a first request to try. */
export function startupMessage(url: string, githubServerUrl: string): string {
  const reachable = url.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]')
  const repository = originRepository(githubServerUrl) ?? example
  return `
Headsup is listening on ${url}

What is going on in ${repository}?

  curl -H "Authorization: Bearer $(gh auth token)" ${reachable}/api/v1/repos/${repository}/activity

The whole API is described at ${reachable}/docs
`
}
