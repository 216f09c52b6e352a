import { execFileSync } from 'node:child_process'

/** A public repository to try, where the working directory has no GitHub remote of its own. */
const example = 'octocat/Hello-World'

/** `owner/name` of the working directory's `origin`, where it has one. */
function originRepository(): string | undefined {
  try {
    const url = execFileSync('git', ['remote', 'get-url', 'origin'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return /[:/]([A-Za-z0-9_-]+\/[A-Za-z0-9._-]+?)(?:\.git)?\/?\s*$/.exec(url)?.[1]
  } catch {
    return undefined
  }
}

/** What a person who just started the service does next. */
export function welcome(url: string): string {
  const reachable = url.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]')
  const repository = originRepository() ?? example
  return `
Headsup is listening on ${url}

What is going on in ${repository}?

  curl -H "Authorization: Bearer $(gh auth token)" ${reachable}/api/v1/repos/${repository}/activity

The whole API is described at ${reachable}/docs
`
}
