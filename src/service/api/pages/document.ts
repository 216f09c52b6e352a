/** What the pages read of the OpenAPI document. */
export interface ApiDocument {
  info: { version: string; description: string }
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

export interface Schema {
  $ref?: string | undefined
  type?: string | string[] | undefined
  format?: string | undefined
  description?: string | undefined
  const?: unknown
  enum?: unknown[] | undefined
  default?: unknown
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
  items?: Schema | undefined
  anyOf?: Schema[] | undefined
  pattern?: string | undefined
  maxLength?: number | undefined
  maxItems?: number | undefined
  maximum?: number | undefined
}

type Content = Record<string, { schema: Schema }>

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}

export interface Described {
  operationId: string
  summary: string
  parameters: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content: Content }>
}

export interface DescribedOperation extends Described {
  method: string
  path: string
}

export function operationsOf({ paths }: ApiDocument): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, method: method.toUpperCase(), path })),
  )
}
