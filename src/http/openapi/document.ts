import { allOperations } from '../routes/api.ts'
import { documentPath, errorsOf, operationOf } from './operation.ts'
import { parameterComponents } from './parameters.ts'
import { errorResponseComponents, headerComponents } from './responses.ts'
import { schemaComponents } from './schemas.ts'
import { webhook, webhookErrors } from './webhook.ts'

/** What the service is, in Markdown. */
export const description = `Headsup tells people and coding agents what is going on in a repository before they start.

- **Activities** are work in progress. They expire by themselves, and end with their pull request or branch.
- **Notables** are what to know before starting, tied to no branch.
- An **overlap check** compares what you plan with what is under way. It is advice: nothing is ever blocked.

Every answer carries \`X-Request-Id\`, \`Cache-Control: private, no-cache\` and \`Vary: Authorization\`. HEAD is as GET. A known
path with another method is 405 \`method_not_allowed\` with \`Allow\`. What can't be read as a request is 400 \`malformed_request\`, 408
\`request_timeout\` or 431 \`headers_too_large\`, and its connection is closed; another \`Expect\` than \`100-continue\` is 417. Unknown body fields and query parameters are refused.
Within v1 answers may gain fields and lists of words may gain words; nothing is renamed or taken away.

Beside the API and without a token: \`/healthz\` is 200 while the process lives, \`/readyz\` while the database answers.`

const tags = [
  { name: 'Activities', description: 'Work in progress, and whether yours overlaps it.' },
  { name: 'Notables', description: 'What to know before starting.' },
  { name: 'Settings', description: 'What is in force in a repository.' },
  { name: 'Operation', description: 'For those who run the service.' },
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

/** The OpenAPI 3.1 document, made from the table and the schemas that serve the requests. */
export function buildDocument() {
  return {
    openapi: '3.1.0',
    info: { title: 'Headsup', version: '1.0.0', description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/api/v1', description: 'This service.' }],
    security: [{ githubToken: [] }],
    tags,
    paths: { ...pathItems(), '/api/github/webhooks': webhook },
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
      responses: errorResponseComponents([...allOperations.map(errorsOf), webhookErrors]),
      schemas: schemaComponents(),
    },
  }
}
