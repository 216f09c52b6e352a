import type { ErrorCode } from '../../../../core/errors.ts'
import { errorStatus } from '../middleware/error-handler.ts'
import { errorGuides } from './error-guides.ts'

const header = (description: string, schema: object, example?: string | number) => ({
  description,
  schema,
  ...(example === undefined ? {} : { example }),
})
const required = (description: string, schema: object, example: string | number) => ({
  ...header(description, schema, example),
  required: true,
})
const text = { type: 'string' }

/** `components.headers` of the document. */
export const headerComponents = {
  RequestId: required("The id of the request: the caller's `X-Request-Id` if it was valid.", text, 'a1b2-c3'),
  ETag: required('A weak ETag. Send it back as `If-None-Match`: 304 says that nothing has changed.', text, 'W/"3e-Jx"'),
  Location: required(
    'Where the record is.',
    text,
    '/api/v1/repos/octocat/hello/activity/act_01h455vb4pex5vsknk084sn02q',
  ),
  Link: header('The next page, if there is one.', text, '</api/v1/repos/octocat/hello/activity?cursor=x>; rel="next"'),
  IdempotencyReplayed: header('Present if an earlier request with this key created the record.', { const: 'true' }),
  RetryAfter: required('When to try again, in seconds.', { type: 'integer', minimum: 0 }, 10),
  RateLimitPolicy: header(
    'Present if the operator limits callers: `q` requests per token in each window of `w` seconds.',
    text,
    '"default";q=600;w=60',
  ),
  RateLimit: header(
    'Present if the operator limits callers: `r` requests are left, and the window ends in `t` seconds.',
    text,
    '"default";r=599;t=60',
  ),
  WwwAuthenticate: required('The authentication scheme.', text, 'Bearer'),
  GithubSso: header("With `sso_required`: GitHub's header. It names the URL where you authorize the token.", text),
}
export type HeaderName = keyof typeof headerComponents

/** The names of the headers in HTTP. */
const httpNames: Record<HeaderName, string> = {
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

/** On every response of the API. */
export const commonResponseHeaders: readonly HeaderName[] = ['RequestId', 'RateLimitPolicy', 'RateLimit']

export function headers(...names: HeaderName[]) {
  return Object.fromEntries(names.map((name) => [httpNames[name], { $ref: `#/components/headers/${name}` }]))
}

const headersOf: Partial<Record<number, HeaderName[]>> = {
  401: ['WwwAuthenticate'],
  403: ['GithubSso'],
  429: ['RetryAfter'],
  503: ['RetryAfter'],
}

function errorResponse(status: number, codes: readonly ErrorCode[]) {
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

/** Groups the codes by their status. */
function byStatus(codes: readonly ErrorCode[]): Map<number, ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>()
  for (const code of [...codes].sort()) found.set(errorStatus(code), [...(found.get(errorStatus(code)) ?? []), code])
  return found
}

const capitals = (code: ErrorCode) => code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
const nameOf = (codes: readonly ErrorCode[]) => codes.map(capitals).join('Or')

/** The error responses of an operation, by status. */
export function errorResponses(codes: readonly ErrorCode[]) {
  const entries = [...byStatus(codes)].map(([status, group]) => {
    return [status, { $ref: `#/components/responses/${nameOf(group)}` }] as const
  })
  return Object.fromEntries(entries)
}

/** `components.responses` of the document: the error responses of all its operations. */
export function errorResponseComponents(operations: readonly (readonly ErrorCode[])[]) {
  const entries = operations.flatMap((codes) =>
    [...byStatus(codes)].map(([status, group]) => [nameOf(group), errorResponse(status, group)] as const),
  )
  return Object.fromEntries(entries)
}
