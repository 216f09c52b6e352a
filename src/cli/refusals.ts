import type { RepositoryName } from './git/remote-url.ts'

export interface ErrorBody {
  error?: { code?: string; message?: string; details?: { field: string }[] }
}

interface Refusal {
  response: Response
  code: string
  /** What the service says. */
  message: string
  url: URL
  repository: RepositoryName | undefined
  tokenFrom: string | undefined
}

/** What a refusal means for the user, and what to do. */
export function explain({ response, code, message, url, repository, tokenFrom = 'the token' }: Refusal): string {
  const name = repository ? `${repository.owner}/${repository.name}` : 'the repository'
  const said = message === '' ? `${url.origin} answered with ${response.status}.` : sentence(message)
  switch (code) {
    case 'unauthenticated':
    case 'invalid_token':
      return `GitHub does not accept the token from ${tokenFrom}: make a new one, or log in anew by \`gh auth login\`.`
    case 'forbidden':
      return `The token from ${tokenFrom} may read ${name} but not write in it. \`headsup check\` and \`list\` work without that right.`
    case 'sso_required':
      return `The organisation of ${name} wants the token authorised for single sign-on${ssoAddress(response)}.`
    case 'not_found':
      return isAboutRecord(url)
        ? 'There is no such record in this repository, or it was purged.'
        : `${name} does not exist, or the token from ${tokenFrom} does not see it.`
    case 'rate_limited':
      return `Too many requests.${retry(response)}`
    case 'github_unavailable':
      return `GitHub does not answer the service.${retry(response)}`
    case 'unavailable':
    case 'internal_error':
      return `${url.origin}: ${said}${retry(response)}`
    default:
      return said
  }
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** Whether a record's id is in the path. */
function isAboutRecord(url: URL): boolean {
  return /\/(?:activity|notables)\/(?:act|ntb)_/.test(url.pathname)
}

/** GitHub names the page where it is done. */
function ssoAddress({ headers }: Response): string {
  const found = /url=(https:\/\/[^\s;,]+)/.exec(headers.get('x-github-sso') ?? '')?.[1]
  return found === undefined ? '' : `: open ${found}`
}

function retry({ headers }: Response): string {
  const seconds = Number(headers.get('retry-after'))
  if (!(seconds > 0)) return ''
  return ` Try again in ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}.`
}
