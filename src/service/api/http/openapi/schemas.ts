import { z } from 'zod'
import {
  Activity,
  ActivityCreate,
  ActivityUpdate,
  ArchivedActivity,
  Heartbeat,
  RetrievedActivity,
} from '../../../../core/schemas/activity.ts'
import { CollidingPair, ListedCollisions } from '../../../../core/schemas/live.ts'
import { ArchivedNotable, Notable, NotableCreate, NotableUpdate } from '../../../../core/schemas/notable.ts'
import {
  BatchCheck,
  BatchOverlap,
  Overlap,
  OverlapCheck,
  ProposalPair,
  ReuseOpportunity,
} from '../../../../core/schemas/overlap.ts'
import { Scope } from '../../../../core/scope/schema.ts'
import { HistoryEntry } from '../../../records/history/history-entry.ts'
import { ActivityCreated, ActivityPage } from '../../operations/activities.ts'
import { HistoryPage } from '../../operations/history.ts'
import { NotablePage } from '../../operations/notables.ts'
import { RepositorySettings } from '../../operations/settings.ts'
import { ErrorResponse } from './error-guides.ts'
import { ServiceInfo } from './service-info.ts'
import { type JsonSchema, tidySchema } from './tidy-schema.ts'

type Direction = 'request' | 'response'

/** The named schemas of the document. Requests use the input of a zod schema, responses the output. */
const registries = {
  request: registryOf({ ActivityCreate, ActivityUpdate, NotableCreate, NotableUpdate, OverlapCheck, BatchCheck }),
  response: registryOf({
    Activity,
    RetrievedActivity,
    ActivityPage,
    ActivityCreated,
    Heartbeat,
    ArchivedActivity,
    Notable,
    NotablePage,
    ArchivedNotable,
    Overlap,
    BatchOverlap,
    ProposalPair,
    ReuseOpportunity,
    CollidingPair,
    Collisions: ListedCollisions,
    RepositorySettings,
    HistoryEntry,
    HistoryPage,
    Scope,
    ServiceInfo,
    Error: ErrorResponse,
  }),
}

function registryOf(schemas: Record<string, z.ZodType>) {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  return registry
}

const uri = (id: string) => `#/components/schemas/${id}`

export function referTo(schema: z.ZodType, direction: Direction): { $ref: string } {
  const id = registries[direction].get(schema)?.id
  if (id === undefined)
    throw new Error('A schema of an operation has no name in the document: add it to http/openapi/schemas.ts')
  return { $ref: uri(id) }
}

function optionsOf(direction: Direction): z.core.ToJSONSchemaParams {
  if (direction === 'request') return { io: 'input' }
  return {
    io: 'output',
    override({ zodSchema, jsonSchema }) {
      // A response may gain fields within v1, so its schema stays open (docs/rules.md#compatibility).
      if (zodSchema._zod.def.type === 'object') delete jsonSchema.additionalProperties
    },
  }
}

function componentsOf(direction: Direction): [string, JsonSchema][] {
  const { schemas } = z.toJSONSchema(registries[direction], { ...optionsOf(direction), uri })
  const named = direction === 'request' ? describeDefaults : (schema: JsonSchema) => schema
  return Object.entries(schemas).map(([id, schema]) => [id, named(tidySchema(schema))])
}

/** Writes the defaults of a body's fields as words: generators of clients take a field with a `default` for a required one. */
function describeDefaults({ default: value, properties, ...schema }: JsonSchema): JsonSchema {
  const { description = '' } = schema
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [
    name,
    typeof field === 'object' ? describeDefaults(field) : field,
  ])
  return {
    ...schema,
    ...(value !== undefined && { description: `${description} Default: \`${JSON.stringify(value)}\`.`.trim() }),
    ...(properties && { properties: Object.fromEntries(fields) }),
  }
}

/** A schema without references to others. */
export function inlineSchema(schema: z.ZodType, direction: Direction): JsonSchema {
  return tidySchema(z.toJSONSchema(schema, optionsOf(direction)))
}

/** `components.schemas` of the document. */
export function schemaComponents(): Record<string, JsonSchema> {
  return Object.fromEntries([...componentsOf('request'), ...componentsOf('response')])
}

/** The fields of a query or body. */
export function fieldsOf(input: z.ZodType): [string, JsonSchema][] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input' })
  return Object.entries(properties).map(([name, schema]) => [
    name,
    tidySchema(typeof schema === 'object' ? schema : {}),
  ])
}
