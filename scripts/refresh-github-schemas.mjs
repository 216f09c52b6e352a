// Writes the schemas of the responses and events of the stand-in in test/support/github to
// test/fixtures/github/schemas.json. They come from GitHub's API description, `@octokit/openapi`. Run it by hand:
// node scripts/refresh-github-schemas.mjs [version]
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Without `GET /app/installations`: its schema requires an account to be a user and an enterprise.
const responses = [
  'GET /repos/{owner}/{repo} 200',
  'GET /repos/{owner}/{repo} 301',
  'GET /repos/{owner}/{repo} 404',
  'POST /repos/{owner}/{repo}/releases/generate-notes 200',
  'GET /repos/{owner}/{repo}/contents/{path} 200',
  'GET /repos/{owner}/{repo}/pulls 200',
  'GET /repos/{owner}/{repo}/pulls/{pull_number} 200',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/files 200',
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits 200',
  'GET /user 200',
  'GET /repos/{owner}/{repo}/branches 200',
  'GET /repos/{owner}/{repo}/branches/{branch} 200',
  'GET /repos/{owner}/{repo}/git/matching-refs/{ref} 200',
  'GET /repos/{owner}/{repo}/git/ref/{ref} 200',
  'GET /repos/{owner}/{repo}/compare/{basehead} 200',
  'GET /repos/{owner}/{repo}/installation 200',
  'GET /app 200',
  'GET /app/installations/{installation_id} 200',
  'POST /app/installations/{installation_id}/access_tokens 201',
  'GET /installation/repositories 200',
  'GET /app/hook/deliveries 200',
  'GET /app/hook/deliveries/{delivery_id} 200',
  'POST /app/hook/deliveries/{delivery_id}/attempts 202',
  'POST /app-manifests/{code}/conversions 201',
  'POST /repos/{owner}/{repo}/check-runs 201',
  'PATCH /repos/{owner}/{repo}/check-runs/{check_run_id} 200',
  'GET /repos/{owner}/{repo}/commits/{ref}/check-runs 200',
  'POST /repos/{owner}/{repo}/check-suites 200',
  'POST /repos/{owner}/{repo}/check-suites 201',
  'PATCH /repos/{owner}/{repo}/check-suites/preferences 200',
]
const events = [
  'check-run-rerequested',
  'check-suite-rerequested',
  'create',
  'delete',
  'push',
  ...['created', 'deleted', 'suspend', 'unsuspend', 'new-permissions-accepted'].map((one) => `installation-${one}`),
  ...['added', 'removed'].map((one) => `installation-repositories-${one}`),
  ...['renamed', 'transferred', 'privatized', 'publicized', 'edited'].map((one) => `repository-${one}`),
  ...['opened', 'closed', 'reopened', 'ready-for-review', 'converted-to-draft', 'edited', 'synchronize'].map(
    (one) => `pull-request-${one}`,
  ),
]
const target = fileURLToPath(new URL('../test/fixtures/github/schemas.json', import.meta.url))

const { version, description } = await download(process.argv[2] ?? 'latest')
const $defs = {}
const schemas = {
  source: `@octokit/openapi ${version}`,
  responses: Object.fromEntries(responses.map((name) => [name, toJsonSchema(responseSchema(name))])),
  events: Object.fromEntries(events.map((name) => [name, toJsonSchema(eventSchema(name))])),
  $defs,
}
await writeFile(target, `${JSON.stringify(schemas, sortedKeys, 1)}\n`)

async function download(wanted) {
  const directory = await mkdtemp(join(tmpdir(), 'github-schemas-'))
  try {
    const run = (program, ...args) => execFileSync(program, args, { cwd: directory, encoding: 'utf8' })
    const [packed] = JSON.parse(run('npm', 'pack', `@octokit/openapi@${wanted}`, '--json'))
    run('tar', '-xzf', packed.filename, 'package/generated/api.github.com.json')
    const file = join(directory, 'package/generated/api.github.com.json')
    return { version: packed.version, description: JSON.parse(await readFile(file, 'utf8')) }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

function responseSchema(name) {
  const [method, path, status] = name.split(' ')
  const response = resolve(description.paths[path]?.[method.toLowerCase()]?.responses[status])
  const schema = response?.content?.['application/json']?.schema
  if (schema === undefined) throw new Error(`GitHub's description has no schema for ${name}`)
  return schema
}

function eventSchema(name) {
  const schema = description['x-webhooks'][name]?.post.requestBody.content['application/json'].schema
  if (schema === undefined) throw new Error(`GitHub's description has no event ${name}`)
  return schema
}

function resolve(node) {
  if (node?.$ref === undefined) return node
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((inside, key) => inside[key], description)
}

/** Converts a schema of OpenAPI 3.0 to JSON Schema without descriptions. References go into `$defs`. */
function toJsonSchema(node) {
  if (node.$ref !== undefined) return nullableIf(node.nullable, { $ref: `#/$defs/${define(node.$ref)}` })
  const { nullable, discriminator, description: _, example, examples, externalDocs, deprecated, xml, ...rest } = node
  const schema = {}
  for (const [key, value] of Object.entries(rest)) {
    if (key.startsWith('x-') || key === 'readOnly' || key === 'default' || key === 'title') continue
    schema[key] = convert(key, value)
  }
  return nullableIf(nullable, schema)
}

function convert(key, value) {
  if (key === 'properties') {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, toJsonSchema(schema)]))
  }
  if (['oneOf', 'anyOf', 'allOf'].includes(key)) return value.map(toJsonSchema)
  const isSchema = ['items', 'not', 'additionalProperties'].includes(key) && typeof value === 'object'
  return isSchema ? toJsonSchema(value) : value
}

function nullableIf(nullable, schema) {
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema
}

function define(ref) {
  const name = ref.split('/').at(-1)
  if ($defs[name] === undefined) {
    // Set first, because a schema may refer to itself.
    $defs[name] = {}
    $defs[name] = toJsonSchema(resolve({ $ref: ref }))
  }
  return name
}

/** Sorts keys, so that two runs differ only if GitHub has changed something. */
function sortedKeys(_key, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
}
