import type { ErrorCode } from '../../errors.ts'
import { errorStatus } from '../middleware/error-handler.ts'
import { errorGuides } from './errors.ts'

const header = (description: string, schema: object, example?: string | number) => ({
  description,
  schema,
  ...(example === undefined ? {} : { example }),
})
const always = (description: string, schema: object, example: string | number) => ({
  ...header(description, schema, example),
  required: true,
})
const text = { type: 'string' }

/** `components.headers` of the document. Required is what such an answer never lacks. */
export const headerComponents = {
  RequestId: always("The request's id: the caller's own `X-Request-Id` where it was acceptable.", text, 'a1b2-c3'),
  ETag: always('Weak. Send it back as `If-None-Match`: 304 says that nothing changed.', text, 'W/"3e-Jx"'),
  Location: always('Where the record is.', text, '/api/v1/repos/octocat/hello/activity/act_01h455vb4pex5vsknk084sn02q'),
  Link: header(
    'The next page, where there is one.',
    text,
    '</api/v1/repos/octocat/hello/activity?cursor=x>; rel="next"',
  ),
  IdempotencyReplayed: header('There where an earlier request with this key made the record.', { const: 'true' }),
  RetryAfter: always('When to come back, in seconds.', { type: 'integer', minimum: 0 }, 10),
  RateLimitPolicy: header(
    'There where the operator limits callers: `q` requests of a token in each window of `w` seconds.',
    text,
    '"default";q=600;w=60',
  ),
  RateLimit: header(
    'There where the operator limits callers: `r` requests are left, and in `t` seconds all are again.',
    text,
    '"default";r=599;t=60',
  ),
  WwwAuthenticate: always('What to authenticate with.', text, 'Bearer'),
  GithubSso: header("With `sso_required`: GitHub's header, which names the URL where the token is authorized.", text),
}
export type HeaderName = keyof typeof headerComponents

/** Each header as it is spelled on the wire. */
const spelling: Record<HeaderName, string> = {
  RequestId: 'X-Request-Id',
  ETag: 'ETag',
  Location: 'Location',
  Link: 'Link',
  IdempotencyReplayed: 'Idempotency-Replayed',
  RetryAfter: 'Retry-After',
  RateLimitPolicy: 'RateLimit-Policy',
  RateLimit: 'RateLimit',
  WwwAuthenticate: 'WWW-Authenticate',
  GithubSso: 'X-GitHub-SSO',
}

/** On every answer to a caller of the API. */
export const commonResponseHeaders: readonly HeaderName[] = ['RequestId', 'RateLimitPolicy', 'RateLimit']

export function headers(...names: HeaderName[]) {
  return Object.fromEntries(names.map((name) => [spelling[name], { $ref: `#/components/headers/${name}` }]))
}

const headersOf: Partial<Record<number, HeaderName[]>> = {
  401: ['WwwAuthenticate'],
  403: ['GithubSso'],
  429: ['RetryAfter'],
  503: ['RetryAfter'],
}

function refusal(status: number, codes: readonly ErrorCode[]) {
  const lines = codes.map((code) => `- \`${code}\`: ${errorGuides[code].meaning}`)
  return {
    description: lines.join('\n'),
    headers: headers(...commonResponseHeaders, ...(headersOf[status] ?? [])),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { properties: { error: { properties: { code: { enum: codes } } } } },
          ],
        },
      },
    },
  }
}

/** The codes by the status that they are answered with. */
function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>()
  for (const code of [...codes].sort()) found.set(errorStatus(code), [...(found.get(errorStatus(code)) ?? []), code])
  return found
}

const capitals = (code: ErrorCode) => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
const nameOf = (codes: readonly ErrorCode[]) => codes.map(capitals).join('Or')

/** The refusals of an operation by status. */
export function errorResponses(codes: readonly ErrorCode[]) {
  const entries = [...byStatus(codes)].map(([status, together]) => {
    return [status, { $ref: `#/components/responses/${nameOf(together)}` }] as const
  })
  return Object.fromEntries(entries)
}

/** `components.responses` of the document: the refusals of all its operations, each once. */
export function errorResponseComponents(operations: readonly (readonly ErrorCode[])[]) {
  const entries = operations.flatMap((codes) =>
    [...byStatus(codes)].map(([status, together]) => [nameOf(together), refusal(status, together)] as const),
  )
  return Object.fromEntries(entries)
}
