import { errorsOf, operationOf } from './openapi-operation.ts'
import { headerComponents, refusalComponents } from './openapi-responses.ts'
import { schemaComponents } from './openapi-schemas.ts'
import { webhook, webhookErrors } from './openapi-webhook.ts'
import { routes } from './router.ts'

const description = `Headsup tells people and coding agents what is going on in a repository before they start.

- **Activities** are work in progress. They expire by themselves, and end with their pull request or branch.
- **Notables** are what to know before starting, tied to no branch.
- An **overlap check** compares what you plan with what is under way. It is advice: nothing is ever blocked.

Every answer carries \`X-Request-Id\`, \`Cache-Control: private, no-cache\` and \`Vary: Authorization\`. HEAD is as GET. A known
path with another method is 405 \`method_not_allowed\` with \`Allow\`. Unknown body fields and query parameters are refused.
Within v1 answers may gain fields and lists of words may gain words; nothing is renamed or taken away.

Beside the API and without a token: \`/healthz\` is 200 while the process lives, \`/readyz\` while the database answers.`

const segment = (name: string, description: string, pattern: string, example: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', pattern },
  example,
})

const id = (prefix: string) => `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

const parameterComponents = {
  Owner: segment(
    'owner',
    'Who owns the repository at GitHub; case does not matter.',
    '^[A-Za-z0-9_-]{1,100}$',
    'octocat',
  ),
  Repo: segment('repo', "The repository's name; case does not matter.", '^[A-Za-z0-9._-]{1,100}$', 'hello-world'),
  ActivityId: segment('id', 'The id of an activity.', id('act'), 'act_01h455vb4pex5vsknk084sn02q'),
  NotableId: segment('id', 'The id of a notable.', id('ntb'), 'ntb_01h455vb4pex5vsknk084sn02q'),
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a create safe to repeat: within 24 hours the same key, body and token on the same repository answer with the first response.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: '5f0c8c0e-8a1b-4a3e-9d55-2f1f0f8b7c11',
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier answer: 304 without a body where nothing changed.',
    schema: { type: 'string' },
  },
}

const tags = [
  { name: 'Activities', description: 'Work in progress, and whether yours overlaps it.' },
  { name: 'Notables', description: 'What to know before starting.' },
  { name: 'Settings', description: 'What is in force in a repository.' },
  { name: 'Operation', description: 'For those who run the service.' },
]

/** `/repos/:owner/:repo/activity/:id` as OpenAPI writes it. */
export function documentPath(path: string): string {
  return `/repos/:owner/:repo${path}`.replaceAll(/:(\w+)/g, '{$1}')
}

function pathItems() {
  const paths = [...new Set(routes.map((route) => route.path))]
  return Object.fromEntries(paths.map((path) => [documentPath(path), pathItem(path)]))
}

function pathItem(path: string) {
  const idName = path.startsWith('/notables') ? 'NotableId' : 'ActivityId'
  const names = ['Owner', 'Repo', ...(path.includes(':id') ? [idName] : [])]
  return {
    parameters: names.map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...Object.fromEntries(
      routes.filter((route) => route.path === path).map((route) => [route.method, operationOf(route)]),
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
      responses: refusalComponents([...routes.map(errorsOf), webhookErrors]),
      schemas: schemaComponents(),
    },
  }
}
