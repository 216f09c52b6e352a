import type { GitConfig } from './git/config.ts'
import { isSameHost } from './git/remote-url.ts'
import { requestJson } from './http.ts'
import type { StateFile } from './state.ts'
import { Failure, type Terminal, usageError } from './terminal.ts'

/** Of what `GET /api/v1` says. */
interface ServiceInfo {
  version: string
  github_server_url: string
}

const day = 24 * 3_600_000

/**
 * The address of the service: of `--url`, `HEADSUP_URL`, or the user's own `headsup.url`. It is never guessed and never a setting
 * of a clone, since whoever listens there gets the token.
 */
export function findAddress(given: string | undefined, { env }: Pick<Terminal, 'env'>, config: GitConfig): URL {
  const [text, from] = given
    ? [given, '--url']
    : env.HEADSUP_URL
      ? [env.HEADSUP_URL, 'HEADSUP_URL']
      : [config.getGlobal('headsup.url') ?? '', 'The setting headsup.url']
  if (text === '') {
    throw usageError(
      'No address of a Headsup service is known. Set it once: git config --global headsup.url https://headsup.example.com',
    )
  }
  const url = readAddress(text)
  if (url === undefined) throw usageError(`${from} is not the address of a service: write https://headsup.example.com`)
  if (isSafe(url)) return url
  throw usageError(`${url.origin} is another machine without https, where others could read the token: use https.`)
}

function readAddress(text: string): URL | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return undefined
  url.search = ''
  url.hash = ''
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/** Whether nobody on the way can read a token. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

export function askService(service: URL, signal: AbortSignal): Promise<ServiceInfo> {
  return requestJson<ServiceInfo>({ method: 'GET', url: new URL('api/v1', service), signal })
}

/** The address of the service's GitHub: what was kept of it within the day, else it is asked, without a token. */
export async function githubServerOf(service: URL, state: StateFile, { now, signal }: Terminal): Promise<URL> {
  const facts = state.read().repositoryFacts
  const kept = facts.find((one) => one.service === service.href && isFresh(one.readAt, now()))
  const address = kept?.githubServerUrl ?? (await askService(service, signal)).github_server_url
  if (!URL.canParse(address)) throw new Failure(`${service.origin} is no Headsup service: check the address.`)
  return new URL(address)
}

export function isFresh(readAt: number, now: number): boolean {
  return readAt <= now && now - readAt < day
}

/** Nothing about a repository goes to a service of another GitHub. */
export function requireSameGithub(service: URL, { hostname: githubHost }: URL, remoteHost: string): void {
  if (isSameHost(githubHost, remoteHost)) return
  throw new Failure(
    `The remote is on ${remoteHost}, but ${service.origin} knows the repositories of ${githubHost} alone: name the service for ${remoteHost} by --url or HEADSUP_URL.`,
  )
}
