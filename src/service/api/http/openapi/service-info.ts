import { z } from 'zod'
import type { ErrorCode } from '../../../../core/errors.ts'
import { errorResponses, headers } from './responses.ts'

/** The answer of `GET /api/v1`. */
export const ServiceInfo = z.object({
  name: z.literal('headsup'),
  version: z.string().describe('The version of the service.'),
  github_server_url: z.url().describe('The web address of the GitHub that this service uses.'),
  public_url: z.url().describe('The address of this service for clients.'),
})

export const serviceInfoErrors: readonly ErrorCode[] = [
  'forbidden',
  'internal_error',
  'unknown_host',
  'validation_failed',
]

/** `GET /api/v1`, which takes no token. */
export const serviceInfo = {
  servers: [{ url: '/' }],
  get: {
    operationId: 'getService',
    tags: ['Operation'],
    summary: 'Say what this service is',
    description:
      'Compare `github_server_url` with the host of a remote: a repository of another host is not known here.',
    security: [],
    responses: {
      200: {
        description: 'Done.',
        headers: headers('RequestId', 'ETag'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ServiceInfo' } } },
      },
      304: { description: 'Nothing has changed since that ETag.', headers: headers('RequestId', 'ETag') },
      ...errorResponses(serviceInfoErrors),
    },
  },
}
