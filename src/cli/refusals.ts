import type { RepositoryName } from './git/remote-url.ts'
import { plain } from './print/plain.ts'

/** The error in the body of an answer. */
export interface ServiceError {
  code?: string
  message?: string
  details?: { field: string }[]
}

/** What was asked for, as far as messages name it. */
export interface Asked {
  url: URL
  tokenFrom?: string
  repository?: RepositoryName
}

const aboutToken = ['unauthenticated', 'invalid_token', 'forbidden', 'sso_required']

/** What the service says, and what it can't know: where the token is from, and what is not found. */
export function explain(response: Response, { code = '', message = '' }: ServiceError, asked: Asked): string {
  const { url, repository, tokenFrom = 'the token' } = asked
  if (code === 'not_found') {
    const isAboutRecord = /\/(?:activity|notables)\/(?:act|ntb)_/.test(url.pathname)
    if (isAboutRecord) return 'There is no such record in this repository, or it was purged.'
    const name = repository ? `${repository.owner}/${repository.name}` : 'the repository'
    return `${name} does not exist, or the token from ${tokenFrom} does not see it.`
  }
  const said =
    message === '' ? `${url.origin} answered with ${response.status}.` : plain(message).replace(/(?<![.!?])$/, '.')
  const source = aboutToken.includes(code) ? ` The token is from ${tokenFrom}.` : ''
  return `${said}${source}${ssoAddress(response)}${retry(response)}`
}

/** GitHub names the page where it is done. */
function ssoAddress({ headers }: Response): string {
  const found = /url=(https:\/\/[^\s;,]+)/.exec(headers.get('x-github-sso') ?? '')?.[1]
  return found === undefined ? '' : ` Open ${found}`
}

function retry({ headers }: Response): string {
  const seconds = Number(headers.get('retry-after'))
  if (!(seconds > 0)) return ''
  return ` Try again in ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}.`
}
