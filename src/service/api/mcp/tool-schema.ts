import { z } from 'zod'
import { idempotencyKeyRule, parameterComponents } from '../http/openapi/parameters.ts'
import { inlineSchema } from '../http/openapi/schemas.ts'
import type { JsonSchema } from '../http/openapi/tidy-schema.ts'
import type { Tool } from './tools.ts'

const { ActivityId, NotableId, IdempotencyKey } = parameterComponents

const repositoryPattern = '^[^/\\s]+/[^/\\s]+$'

const text = (description: string, pattern: string): JsonSchema => ({ type: 'string', pattern, description })

/** The arguments that are not in the query or the body of the operation. */
const properties = {
  repository: text('At GitHub, as owner/name.', repositoryPattern),
  activity_id: text(ActivityId.description, ActivityId.schema.pattern),
  notable_id: text(NotableId.description, NotableId.schema.pattern),
  idempotency_key: text(idempotencyKeyRule, IdempotencyKey.schema.pattern),
}

const repository = z.string().regex(new RegExp(repositoryPattern), 'must be owner/name, such as octocat/hello-world')

/** The arguments that stand for the path: the repository, and the id of the record if there is one. */
export function addressSchema({ idArgument }: Tool) {
  const id: Record<string, z.ZodString> = idArgument ? { [idArgument]: z.string() } : {}
  const fields: Record<string, z.ZodString> = { repository, ...id }
  return z.object(fields)
}

/** The arguments of a tool: the path, and the query or body of the operation. */
export function inputSchema({ route, idArgument, unlisted = [], itemsAs, defaults = {} }: Tool): JsonSchema {
  const own = inlineSchema(route.method === 'get' ? route.query : route.body, 'request')
  const address = { repository: properties.repository, ...(idArgument ? { [idArgument]: properties[idArgument] } : {}) }
  const key = route.takesIdempotencyKey ? { idempotency_key: properties.idempotency_key } : {}
  const listed = Object.entries(own.properties ?? {})
    .filter(([name]) => !unlisted.includes(name) && !ofPrograms.includes(name))
    .map(([name, schema]) => [name, shortened(schema, name)] as const)
    .map(
      ([name, schema]) => [name, withDefault(itemsAs ? withItemsAs(schema, itemsAs) : schema, defaults[name])] as const,
    )
  return {
    type: 'object',
    properties: { ...address, ...Object.fromEntries(listed), ...key },
    required: [...Object.keys(address), ...(own.required ?? [])],
    additionalProperties: false,
  }
}

/** A list whose items take the arguments of another tool. */
function withItemsAs(schema: JsonSchema | boolean, tool: string): JsonSchema | boolean {
  if (typeof schema !== 'object' || !schema.items) return schema
  return { ...schema, description: '', items: { type: 'object', description: `As ${tool}, without repository.` } }
}

/** Models get fewer records than other callers, unless they ask for more. */
function withDefault<Schema>(schema: Schema, value: unknown): Schema {
  return typeof value === 'number' ? { ...schema, default: value } : schema
}

/** Limits that the schemas of `changes` and `issues` leave out, since three tools would repeat them. The service still enforces them. */
const limits = ['examples', 'minimum', 'maximum', 'maxLength']
/** What programs send and models need not: ids of contents, which ranges are insertions, and that a number is from a branch's name. */
const ofPrograms = ['blob', 'inserts', 'issues_from']

/** A schema that says only what helps a model: no empty texts are sent in any case. */
function shortened<Schema>(schema: Schema, name: string): Schema {
  const left = ['minLength', ...ofPrograms, ...(['changes', 'issues'].includes(name) ? limits : [])]
  return JSON.parse(JSON.stringify(schema, (key, value) => (left.includes(key) ? undefined : value)))
}
