import type { ErrorCode } from '../../../../core/errors.ts'
import type { Operation } from '../../operations/define.ts'
import { commonResponseHeaders, errorResponses, type HeaderName, headers } from './responses.ts'
import { fieldsOf, referTo } from './schemas.ts'

/** The errors of every operation on a repository. */
const common: readonly ErrorCode[] = [
  'validation_failed',
  'unknown_host',
  'forbidden',
  'unauthenticated',
  'invalid_token',
  'sso_required',
  'not_found',
  'github_rate_limited',
  'rate_limited',
  'internal_error',
  'github_unavailable',
  'unavailable',
]

/** The errors of every operation that reads a body. */
export const bodyErrors: readonly ErrorCode[] = [
  'invalid_json',
  'malformed_request',
  'payload_too_large',
  'unsupported_media_type',
]

/** Every error code of an operation. */
export function errorsOf(route: Operation): ErrorCode[] {
  return [
    ...common,
    ...(route.method === 'get' ? [] : bodyErrors),
    ...(route.takesIdempotencyKey ? (['idempotency_key_reused'] as const) : []),
    ...(route.errors ?? []),
  ].sort()
}

/** The path of an operation as OpenAPI writes it: `/repos/{owner}/{repo}/activity/{id}`. */
export function documentPath(path: string): string {
  return `/repos/:owner/:repo${path}`.replaceAll(/:(\w+)/g, '{$1}')
}

function parametersOf(route: Operation) {
  const query = fieldsOf(route.query).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description,
    schema,
  }))
  const key = route.takesIdempotencyKey ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []
  const lastId = route.isStream ? [{ $ref: '#/components/parameters/LastEventId' }] : []
  const etag = hasEtag(route) ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []
  return [...query, ...key, ...lastId, ...etag]
}

function requestBodyOf(route: Operation) {
  if (route.method === 'get') return {}
  const schema = hasNoFields(route) ? { type: 'object', additionalProperties: false } : referTo(route.body, 'request')
  return { requestBody: { required: route.bodyOptional !== true, content: { 'application/json': { schema } } } }
}

function hasNoFields(route: Operation) {
  return fieldsOf(route.body).length === 0
}

function successOf(route: Operation) {
  const own: HeaderName[] = [
    ...(hasEtag(route) ? (['ETag'] as const) : []),
    ...(route.success === 201 ? (['Location'] as const) : []),
    ...(route.takesIdempotencyKey ? (['IdempotencyReplayed'] as const) : []),
    ...(route.errors?.includes('invalid_cursor') ? (['Link'] as const) : []),
  ]
  const success = {
    description: route.success === 201 ? 'Created.' : 'Done.',
    headers: headers(...commonResponseHeaders, ...own),
    content: route.isStream
      ? { 'text/event-stream': { schema: { type: 'string' } } }
      : { 'application/json': { schema: answerOf(route) } },
  }
  const unchanged = {
    description: 'Nothing has changed since that ETag.',
    headers: headers(...commonResponseHeaders, 'ETag'),
  }
  return { [route.success]: success, ...(hasEtag(route) ? { 304: unchanged } : {}) }
}

/** Whether a response has an `ETag`. */
export function hasEtag({ method, isStream }: Operation): boolean {
  return method === 'get' && !isStream
}

function answerOf({ answer, answerByQuery }: Operation) {
  const usual = referTo(answer, 'response')
  return answerByQuery ? { anyOf: [usual, referTo(answerByQuery, 'response')] } : usual
}

export function operationOf(route: Operation) {
  const parameters = parametersOf(route)
  return {
    operationId: route.operationId,
    tags: [tagOf(route)],
    summary: route.summary,
    description: `${route.description}\n\nNeeds ${route.access} access to the repository.`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBodyOf(route),
    responses: { ...successOf(route), ...errorResponses(errorsOf(route)) },
  }
}

/** The group that an operation belongs to. */
export function tagOf({ path }: Operation) {
  if (path.startsWith('/activity')) return 'Activities'
  if (path === '/events' || path === '/collisions') return 'Events'
  return path.startsWith('/notables') ? 'Notables' : 'Settings'
}
