import type { ErrorCode } from '../../errors.ts'
import { bodyErrors } from './operation.ts'
import { errorResponses, headers } from './responses.ts'

function answered(description: string, property: string, values: string[]) {
  const schema = { type: 'object', required: [property], properties: { [property]: { type: 'string', enum: values } } }
  return { description, headers: headers('RequestId'), content: { 'application/json': { schema } } }
}

const header = (name: string, description: string, length: object = {}) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...length },
})

export const webhookErrors: readonly ErrorCode[] = [
  ...bodyErrors,
  'validation_failed',
  'not_found',
  'internal_error',
  'unavailable',
]

/** For GitHub; it lies beside `/api/v1`, and takes no token. */
export const webhook = {
  servers: [{ url: '/' }],
  post: {
    operationId: 'receiveWebhook',
    tags: ['Operation'],
    summary: "Take GitHub's webhooks",
    description: 'For GitHub alone, which signs each delivery. 404 where the service has no webhook secret.',
    security: [],
    parameters: [
      header('X-GitHub-Event', 'What happened; an event that the service has no use for is acknowledged.'),
      header('X-GitHub-Delivery', 'Each delivery is handled once.', { minLength: 1, maxLength: 200 }),
      header('X-Hub-Signature-256', 'HMAC of the body under the webhook secret.', { minLength: 1 }),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    responses: {
      200: answered('Taken.', 'outcome', ['handled', 'duplicate', 'ignored']),
      ...errorResponses(webhookErrors),
    },
  },
}
