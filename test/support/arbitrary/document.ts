import { z } from 'zod'
import { buildDocument } from '../../../src/service/api/http/openapi/document.ts'

/** The parts of a schema that values are generated from. */
export interface ValueSchema {
  $ref?: string | undefined
  type?: string | string[] | undefined
  enum?: unknown[] | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  minimum?: number | undefined
  maximum?: number | undefined
  pattern?: string | undefined
  format?: string | undefined
  examples?: unknown[] | undefined
  items?: ValueSchema | undefined
  anyOf?: ValueSchema[] | undefined
  minItems?: number | undefined
  maxItems?: number | undefined
  properties?: Record<string, ValueSchema> | undefined
  required?: string[] | undefined
}

const ValueSchema: z.ZodType<ValueSchema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    enum: z.array(z.unknown()).optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    pattern: z.string().optional(),
    format: z.string().optional(),
    examples: z.array(z.unknown()).optional(),
    items: ValueSchema.optional(),
    anyOf: z.array(ValueSchema).optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    properties: z.record(z.string(), ValueSchema).optional(),
    required: z.array(z.string()).optional(),
  }),
)

const Parameter = z.object({ name: z.string(), in: z.enum(['path', 'query', 'header']), schema: ValueSchema })
export type Parameter = z.infer<typeof Parameter>

const Referring = z.union([z.object({ $ref: z.string() }), Parameter])

const OperationItem = z.object({
  operationId: z.string(),
  parameters: z.array(Referring).default([]),
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.unknown()).optional() })),
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ schema: ValueSchema }) }) }).optional(),
})

const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({
    parameters: z.record(z.string(), Parameter),
    schemas: z.record(z.string(), ValueSchema),
  }),
})

const { paths, components } = Document.parse(JSON.parse(JSON.stringify(buildDocument())))

/** An operation of the OpenAPI document on a repository. */
export interface Operation {
  operationId: string
  method: string
  /** Below `/repos/{owner}/{repo}`. */
  path: string
  parameters: Parameter[]
  body: ValueSchema | undefined
}

function named<Part>(parts: Record<string, Part>, reference: string): Part {
  const found = parts[reference.slice(reference.lastIndexOf('/') + 1)]
  if (!found) throw new Error(`${reference} is not in the document`)
  return found
}

/** Follows a reference to its schema. */
export function resolved(schema: ValueSchema): ValueSchema {
  return schema.$ref === undefined ? schema : named(components.schemas, schema.$ref)
}

/** All operations of the document on a repository that answer JSON: a stream does not end by itself. */
export const operations: Operation[] = Object.entries(paths)
  .filter(([path]) => path.startsWith('/repos/'))
  .flatMap(([path, item]) =>
    ['get', 'post', 'patch'].flatMap((method) => {
      if (!(method in item)) return []
      const { operationId, parameters, requestBody, responses } = OperationItem.parse(item[method])
      if (responses[200]?.content?.['text/event-stream']) return []
      return {
        operationId,
        method: method.toUpperCase(),
        path: path.replace('/repos/{owner}/{repo}', ''),
        parameters: parameters.map((given) => ('$ref' in given ? named(components.parameters, given.$ref) : given)),
        body: requestBody?.content['application/json'].schema,
      }
    }),
  )
