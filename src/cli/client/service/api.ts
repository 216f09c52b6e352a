import { exitCodes, Failure, ServiceAway, unavailable } from '../../failure.ts'
import { plain } from '../../output/plain-text.ts'
import { asRecord, type Json, parseJson, record, recordList, textField, textList } from '../json.ts'
import { connectEventStream, type OpenStream, type StreamRequest } from './event-stream.ts'
import { connectionFailure, type HttpReply, sendHttp } from './http.ts'
import { awayBehindProxy, type GivenAddress, notHeadsup, pathOfAddress, readServiceInfo } from './service-info.ts'
import type { FoundToken } from './token.ts'

export interface ApiOptions extends FoundToken, GivenAddress {
  owner: string
  name: string
  /** Whether the service is not to wait for GitHub (docs/rules.md#reading-without-the-app). */
  isHook?: boolean
  /** `owner/name` of the other remotes: where work may be recorded that may not be recorded here. */
  otherRemotes?: readonly string[]
  /** Tells the caller about a field that an older service does not know. */
  note?(text: string): void
  signal: AbortSignal
}

export interface Api {
  /** `path` is below `/repos/{owner}/{name}`. Throws a `Failure` unless the status is 2xx. */
  call(method: string, path: string, body?: unknown): Promise<Json>
  /** The address that signs this caller in to a page, such as `/acme/shop`, and for how long. Throws a `Failure`. */
  handOver(page: string): Promise<{ address: string; seconds: number }>
  /** Opens a stream of events. Throws a `Failure` unless the status is 200. */
  stream(path: string, options: Pick<StreamRequest, 'lastEventId' | 'silentMs'>): Promise<OpenStream>
}

export function createApi(options: ApiOptions): Api {
  const { url, owner, name, token, isHook, note, signal } = options
  const prefer = isHook ? { prefer: 'wait=0' } : {}
  const base = pathOfAddress(url)
  const root = `${base}/api/v1/repos/${owner}/${name}`
  return {
    async call(method, path, body) {
      const send = (sent: unknown) =>
        sendHttp({ method, url: new URL(root + path, url), token, ...prefer, body: sent, signal })
      const first = await send(body)
      const olderBody = withoutNewFields(body, first)
      if (olderBody && isChosen(body)) note?.('This service is older and does not know issues: they do not count.')
      const reply = olderBody ? await send(olderBody) : first
      if (reply.status >= 200 && reply.status < 300 && reply.body !== undefined) return asRecord(reply.body)
      throw await failureOf(reply, options, { path, body })
    },
    async handOver(page) {
      const reply = await sendHttp({
        method: 'POST',
        url: new URL(`${base}/-/session/handover`, url),
        token,
        signal,
      })
      const { code, expires_in: seconds } = asRecord(reply.body)
      if (reply.status === 200 && typeof code === 'string' && typeof seconds === 'number') {
        const address = new URL(`${base}/-/enter?${new URLSearchParams({ to: page })}`, url)
        address.hash = code
        return { address: address.href, seconds }
      }
      const failure = await failureOf(reply, options, { path: '', body: undefined })
      if (failure.exitCode !== exitCodes.refused || reply.status !== 404) throw failure
      throw unavailable(`${url.origin} has no page to open: its version is older.`, 404)
    },
    async stream(path, streamOptions) {
      const target = new URL(root + path, url)
      const fail = (error: unknown) => {
        // Only what the connection reports has a code; other errors say themselves what they are.
        throw error instanceof Error && 'code' in error ? connectionFailure(target, error, signal) : error
      }
      const stream = await connectEventStream({ url: target, token, signal, ...streamOptions }).catch(fail)
      const { status, headers } = stream
      if (status === 200) return stream
      const reply = { status, headers, body: parseJson(await stream.text().catch(fail)) }
      throw await failureOf(reply, options, { path, body: undefined })
    },
  }
}

/** Fields that an older service refuses. Without them a request means the same, as far as that service knows. */
const newFields = /^(?:issues|issues_from|changes\.files\[\d+\]\.blob)$/

/** The body for an older service; undefined unless it refused new fields alone. */
function withoutNewFields(body: unknown, reply: HttpReply): Json | undefined {
  const details = recordList(record(asRecord(reply.body), 'error'), 'details')
  const isNew = (detail: Json) => detail.code === 'unknown_field' && newFields.test(textField(detail, 'field') ?? '')
  if (reply.status !== 400 || details.length === 0 || !details.every(isNew)) return undefined
  const { issues: _, issues_from: __, changes, ...older } = asRecord(body)
  if (changes === undefined || changes === null) return { ...older, ...(changes === null ? { changes } : {}) }
  const files = recordList(asRecord(changes), 'files').map(({ blob: _, ...file }) => file)
  return { ...older, changes: { ...asRecord(changes), files } }
}

/** Whether the body names issues that were chosen, not taken from the name of the branch. */
function isChosen(body: unknown): boolean {
  const { issues, issues_from } = asRecord(body)
  return Array.isArray(issues) && issues.length > 0 && issues_from === undefined
}

/** The failure of a response. A 404 below a path may be one of something else than Headsup. */
async function failureOf(reply: HttpReply, options: ApiOptions, sent: SentRequest): Promise<Failure> {
  if (reply.status === 404 && pathOfAddress(options.url) !== '') {
    const { status, info } = await readServiceInfo(options.url, options.signal)
    if (!info && status < 500 && status !== 429) return notHeadsup(options, status)
  }
  return toFailure(reply, options, sent)
}

/** Reads the address of the service. The address of its API, which ends in `/api/v1`, means the same. */
export function readAddress(address: string, from: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && !url.username && !url.password) {
    url.pathname = url.pathname.replace(/\/api\/v1\/*$/, '')
    return url
  }
  throw new Failure(exitCodes.usage, `${from} is not an http or https address: ${plain(address)}`)
}

/** Whether a token may be sent to the address: over `https`, or to this machine (docs/rules.md#token-transport). */
export function isSafeForToken({ protocol, hostname }: URL): boolean {
  // `URL` normalizes every form of an IPv4 address to four numbers.
  return protocol === 'https:' || /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(hostname)
}

interface SentRequest {
  path: string
  body: unknown
}

function toFailure(
  { status, headers, body }: HttpReply,
  { url, owner, name, from, otherRemotes = [] }: ApiOptions,
  sent: SentRequest,
): Failure {
  const error = record(asRecord(body), 'error')
  const code = textField(error, 'code')
  const message = plain(textField(error, 'message') ?? '')
  const refused = (text: string) => new Failure(exitCodes.refused, text, status)
  if (status >= 300 && status < 400) {
    return unavailable(
      `${url.origin} redirects to ${plain(headers.location ?? 'elsewhere')}: set that as --url or HEADSUP_URL.`,
      status,
    )
  }
  if (!code && status >= 500) return awayBehindProxy(url, status)
  if (!code)
    return unavailable(`${url.origin} responded with ${status}, but not as Headsup does: check the address.`, status)
  if (status === 401) return unavailable(`GitHub refuses the token from ${from}: it may have expired.`, status)
  if (status === 429 || status >= 500)
    return new ServiceAway(`${message || code} (${status}${describeRetry(headers)})`, status, code)
  if (code === 'validation_failed') {
    const fields = recordList(error, 'details').flatMap((detail) => textField(detail, 'field') ?? [])
    return new Failure(exitCodes.usage, describeDetails(error, sent.body) || message, status, fields)
  }
  if (status === 404) return refused(describeNotFound(`${owner}/${name}`, sent.path))
  const sso = plain([headers['x-github-sso'] ?? ''].flat().join(' '))
  if (sso) return refused(`${message || code} X-GitHub-SSO: ${sso}`)
  if (code === 'forbidden') return refused(`${owner}/${name}: ${message || code}${describeForks(otherRemotes)}`)
  const allowed = textList(error, 'allowed')
  return refused(allowed.length > 0 ? `${message} Allowed: ${allowed.join(', ')}.` : message || code)
}

/** The service responds alike for a missing record and a repository that the token can't see. */
function describeNotFound(repository: string, path: string): string {
  const [, id] = /^\/(?:activity|notables)\/(?!check$)([^/?]+)/.exec(path) ?? []
  if (id === undefined) return `${repository}: no such repository, or this token may not see it.`
  return `${repository} has no record ${plain(id)}, or this token may not see the repository.`
}

/** How to record the work in a fork instead. */
function describeForks(remotes: readonly string[]): string {
  const commands = remotes.map((remote) => `\`git config headsup.repository ${remote}\``)
  return commands.length === 0 ? '' : ` To record it in your fork: ${commands.join(' or ')}.`
}

/** When to try again, from `Retry-After`: seconds, or a date. Empty where the header is missing. */
function describeRetry(headers: HttpReply['headers']): string {
  const after = plain(headers['retry-after'] ?? '')
  return after && `; try again ${/^\d+$/.test(after) ? `in ${after} s` : `after ${after}`}`
}

/** The details of a `validation_failed` error, each with the argument that caused it. */
function describeDetails(error: Json, sent: unknown): string {
  return recordList(error, 'details')
    .map(
      (detail) =>
        `${argumentName(textField(detail, 'field') ?? '', sent)}: ${plain(textField(detail, 'message') ?? '')}`,
    )
    .join('; ')
}

/** The argument of a field. For a list item with its value: `the path src/{a` for `scope.paths[1]`. */
function argumentName(field: string, sent: unknown): string {
  const keys = field.match(/[^.[\]]+/g) ?? []
  const value = keys.reduce((from, key) => (Array.isArray(from) ? from[Number(key)] : asRecord(from)[key]), sent)
  const flag = flagOf(field)
  if (typeof value !== 'string' || !field.endsWith(']')) return flag
  return `${flag === flags['scope.paths'] ? 'the path' : flag} ${plain(value).slice(0, 200) || '""'}`
}

const flags: Readonly<Record<string, string>> = {
  issues: '--issue',
  base_branch: '--base',
  applies_until: '--until',
  'scope.paths': 'the paths',
  'scope.areas': '--area',
  tags: '--tag',
  activity_id: 'the activity',
  draft_pr: '--draft',
}

/** The flag of a field: `--pr-url` for `pr_url`, `--area` for `scope.areas[1]`. A field of a file of tasks has none. */
export function flagOf(field: string): string {
  if (/^proposals\b/.test(field)) return field
  const name = field.replace(/\[\d+\].*$/s, '')
  return flags[name] ?? `--${name.replaceAll('_', '-')}`
}
