import type { ErrorCode } from '../../../../core/errors.ts'
import { bodyErrors } from './operation-object.ts'
import { errorResponses, headers } from './responses.ts'

function success(description: string, property: string, values: string[]) {
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

/** The webhook endpoint. It is outside `/api/v1` and takes no token. */
export const webhook = {
  servers: [{ url: '/' }],
  post: {
    operationId: 'receiveWebhook',
    tags: ['Operation'],
    summary: 'Receive webhooks of GitHub',
    description: 'Only for GitHub, which signs each delivery. 404 if the service has no webhook secret.',
    security: [],
    parameters: [
      header('X-GitHub-Event', 'The name of the event. An event that the service does not use is ignored.'),
      header('X-GitHub-Delivery', 'The id of the delivery. Each delivery is handled once.', {
        minLength: 1,
        maxLength: 200,
      }),
      header('X-Hub-Signature-256', 'HMAC of the body under the webhook secret.', { minLength: 1 }),
    ],
    requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    responses: {
      200: success('Received.', 'outcome', ['handled', 'duplicate', 'ignored']),
      ...errorResponses(webhookErrors),
    },
  },
}
