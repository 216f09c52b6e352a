import { allOperations } from '../routes/api.ts'
import { documentPath, errorsOf, operationOf } from './operation-object.ts'
import { parameterComponents } from './parameters.ts'
import { errorResponseComponents, headerComponents } from './responses.ts'
import { schemaComponents } from './schemas.ts'
import { serviceInfo, serviceInfoErrors } from './service-info.ts'
import { webhook, webhookErrors } from './webhook.ts'

/** The description of the service, in Markdown. */
export const description = `Headsup tells people and coding agents what is going on in a repository before they start.

- **Activities** are work in progress. They expire by themselves. They end when their pull request merges or their branch is deleted.
- **Notables** tell people what to know before they start. They are not tied to a branch.
- An **overlap check** compares your plan with the work in progress. It is advice and blocks nothing.

Every response has \`X-Request-Id\`, \`Cache-Control: private, no-cache\` and \`Vary: Authorization, Cookie\`. HEAD works as GET. A known
path with another method is 405 \`method_not_allowed\` with \`Allow\`. A request that is not valid HTTP/1.1 is 400, one that
arrives too slowly 408, and one with more than 16 KiB of headers 431. These responses have no JSON body, and the connection is closed. Unknown body fields and query parameters are refused.
Within v1, responses may gain fields and enumerations may gain values; nothing is renamed or removed.

Two probes need no token: \`/healthz\` is 200 while the process runs, \`/readyz\` while the database responds. So does \`GET /api/v1\`, which says what this service is.`

/** The groups of operations. */
export const tags = [
  { name: 'Activities', description: 'Work in progress, and overlap checks.' },
  { name: 'Notables', description: 'What to know before starting.' },
  { name: 'Events', description: 'Which work collides, and the stream of events.' },
  { name: 'Settings', description: 'The settings in force in a repository.' },
  { name: 'Operation', description: 'For operators of the service.' },
]

function pathItems() {
  const paths = [...new Set(allOperations.map((route) => route.path))]
  return Object.fromEntries(paths.map((path) => [documentPath(path), pathItem(path)]))
}

function pathItem(path: string) {
  const idName = path.startsWith('/notables') ? 'NotableId' : 'ActivityId'
  const names = ['Owner', 'Repo', ...(path.includes(':id') ? [idName] : [])]
  return {
    parameters: names.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...Object.fromEntries(
      allOperations.filter((route) => route.path === path).map((route) => [route.method, operationOf(route)]),
    ),
  }
}

/** Builds the OpenAPI 3.1 document from the operations and schemas that serve the requests. */
export function buildDocument() {
  return {
    openapi: '3.1.0',
    info: { title: 'Headsup', version: '1.0.0', description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/api/v1', description: 'This service.' }],
    security: [{ githubToken: [] }],
    tags,
    paths: { ...pathItems(), '/api/v1': serviceInfo, '/api/github/webhooks': webhook },
    components: {
      securitySchemes: {
        githubToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'Your own GitHub token, of any kind. GitHub decides what it may do.',
        },
      },
      parameters: parameterComponents,
      headers: headerComponents,
      responses: errorResponseComponents([...allOperations.map(errorsOf), serviceInfoErrors, webhookErrors]),
      schemas: schemaComponents(),
    },
  }
}
