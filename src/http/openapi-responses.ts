import type { ErrorCode } from '../errors.ts'
import { errorStatus } from './error-handler.ts'
import { errorGuides } from './openapi-errors.ts'

const text = (description: string, example?: string) => ({
  description,
  schema: { type: 'string' },
  ...(example === undefined ? {} : { example }),
})

/** `components.headers` of the document. */
export const headerComponents = {
  RequestId: text("The request's id: the caller's own `X-Request-Id` where it was acceptable.", 'a1b2-c3'),
  ETag: text('Of this answer, weak. Send it back as `If-None-Match`: 304 says that nothing changed.', 'W/"3e-Jx"'),
  Location: text('Where the new record is.', '/api/v1/repos/octocat/hello/activity/act_01h455vb4pex5vsknk084sn02q'),
  Link: text('The next page, where there is one.', '</api/v1/repos/octocat/hello/activity?cursor=x>; rel="next"'),
  IdempotencyReplayed: {
    description: 'There, and `true`, where an earlier request with this key made the record.',
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: {
    description: 'When to come back, in seconds.',
    schema: { type: 'integer', minimum: 0 },
    example: 10,
  },
  WwwAuthenticate: text('`Bearer`', 'Bearer'),
  GithubSso: text("With `sso_required`: GitHub's header, which names the URL where the token is authorized."),
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
  WwwAuthenticate: 'WWW-Authenticate',
  GithubSso: 'X-GitHub-SSO',
}

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
    headers: headers('RequestId', ...(headersOf[status] ?? [])),
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
export function refusals(codes: readonly ErrorCode[]) {
  const entries = [...byStatus(codes)].map(([status, together]) => {
    return [status, { $ref: `#/components/responses/${nameOf(together)}` }] as const
  })
  return Object.fromEntries(entries)
}

/** `components.responses` of the document: the refusals of all its operations, each once. */
export function refusalComponents(operations: readonly (readonly ErrorCode[])[]) {
  const entries = operations.flatMap((codes) =>
    [...byStatus(codes)].map(([status, together]) => [nameOf(together), refusal(status, together)] as const),
  )
  return Object.fromEntries(entries)
}
