import { couldNotAsk, exitCodes, Failure } from '../failure.ts'
import { plain } from '../plain-text.ts'
import { type HttpReply, sendRequest } from './http.ts'
import { asRecord, type Json, record, recordList, textField, textList } from './json.ts'
import type { FoundToken } from './token.ts'

export interface ApiOptions extends FoundToken {
  /** Of the service. */
  url: URL
  owner: string
  name: string
  signal: AbortSignal
}

export interface Api {
  /** `path` is below `/repos/{owner}/{name}`. Fails with a `Failure` for every answer but a 2xx. */
  call(method: string, path: string, body?: unknown): Promise<Json>
}

export function createApi(options: ApiOptions): Api {
  const { url, owner, name, token, signal } = options
  const root = `${url.pathname.replace(/\/+$/, '')}/api/v1/repos/${owner}/${name}`
  return {
    async call(method, path, body) {
      const reply = await sendRequest({ method, url: new URL(root + path, url), token, body, signal })
      if (reply.status >= 200 && reply.status < 300 && reply.body !== undefined) return asRecord(reply.body)
      throw refusal(reply, options, { path, body })
    },
  }
}

/** An address of the service that can be asked; that of its API, which `/llms.txt` names, stands for it. */
export function readAddress(address: string, from: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && !url.username && !url.password) {
    url.pathname = url.pathname.replace(/\/api\/v1\/*$/, '')
    return url
  }
  throw new Failure(exitCodes.usage, `${from} is no http or https address: ${plain(address)}`)
}

/** Whether a token may be sent to the address: over `https`, or without leaving this machine. */
export function isPrivateAddress({ protocol, hostname }: URL): boolean {
  // A `URL` writes every form of an IPv4 address as four numbers.
  return protocol === 'https:' || /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname)
}

interface Sent {
  path: string
  body: unknown
}

function refusal({ status, headers, body }: HttpReply, { url, owner, name, from }: ApiOptions, sent: Sent): Failure {
  const error = record(asRecord(body), 'error')
  const code = textField(error, 'code')
  const said = plain(textField(error, 'message') ?? '')
  const refused = (message: string) => new Failure(exitCodes.refused, message, status)
  if (status >= 300 && status < 400) {
    return couldNotAsk(
      `${url.origin} redirects to ${plain(headers.location ?? 'elsewhere')}: set that as --url or HEADSUP_URL.`,
      status,
    )
  }
  if (!code)
    return couldNotAsk(`${url.origin} answered ${status}, and not as Headsup does: is the address right?`, status)
  if (status === 401) return couldNotAsk(`GitHub refuses the token of ${from}: it may have expired.`, status)
  if (status === 429 || status >= 500) return couldNotAsk(`${said || code} (${status}${waiting(headers)})`, status)
  if (code === 'validation_failed') return new Failure(exitCodes.usage, faults(error, sent.body) || said, status)
  if (status === 404) return refused(notThere(`${owner}/${name}`, sent.path))
  const sso = plain([headers['x-github-sso'] ?? ''].flat().join(' '))
  if (sso) return refused(`${said || code} X-GitHub-SSO: ${sso}`)
  const allowed = textList(error, 'allowed')
  return refused(allowed.length > 0 ? `${said} It may move to: ${allowed.join(', ')}.` : said || code)
}

/** A repository that can't be seen answers like one without the record. */
function notThere(repository: string, path: string): string {
  const [, id] = /^\/(?:activity|notables)\/(?!check$)([^/?]+)/.exec(path) ?? []
  if (id === undefined) return `${repository}: no such repository, or this token may not see it.`
  return `${repository} has no record ${plain(id)}, or this token may not see the repository.`
}

/** When to try again, where the answer says: seconds, or a date. */
function waiting(headers: HttpReply['headers']): string {
  const after = plain(headers['retry-after'] ?? '')
  return after && `; try again ${/^\d+$/.test(after) ? `in ${after} s` : `after ${after}`}`
}

/** Each fault under the name of the argument that it came from. */
function faults(error: Json, sent: unknown): string {
  return recordList(error, 'details')
    .map(
      (detail) => `${argumentOf(textField(detail, 'field') ?? '', sent)}: ${plain(textField(detail, 'message') ?? '')}`,
    )
    .join('; ')
}

/** `the path src/{a` of `scope.paths[1]`: of what may be given several times, the one that it is. */
function argumentOf(field: string, sent: unknown): string {
  const keys = field.match(/[^.[\]]+/g) ?? []
  const value = keys.reduce((from, key) => (Array.isArray(from) ? from[Number(key)] : asRecord(from)[key]), sent)
  const flag = flagOf(field)
  if (typeof value !== 'string' || !field.endsWith(']')) return flag
  return `${flag === flags['scope.paths'] ? 'the path' : flag} ${plain(value).slice(0, 200)}`
}

const flags: Readonly<Record<string, string>> = {
  base_branch: '--base',
  applies_until: '--until',
  'scope.paths': 'the paths',
  'scope.areas': '--area',
  tags: '--tag',
  activity_id: 'the activity',
  draft_pr: '--draft',
}

/** `--pr-url` of `pr_url`, `--area` of `scope.areas[1]`. */
export function flagOf(field: string): string {
  const name = field.replace(/\[\d+\].*$/s, '')
  return flags[name] ?? `--${name.replaceAll('_', '-')}`
}
