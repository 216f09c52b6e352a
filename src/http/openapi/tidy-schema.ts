import type { z } from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * A schema as zod writes it, in fewer words for its readers: what may be null is one schema of two types, so that its
 * description stands in front; and a timestamp does without the 400 characters of pattern that `date-time` means.
 */
export function tidySchema(schema: JsonSchema): JsonSchema {
  const { $schema, $id, ...rest } = schema
  const inner = nullableOf(rest)
  const { anyOf, ...own } = rest
  const folded = inner ? { ...inner, ...own, type: [inner.type, 'null'] } : rest
  const entries = Object.entries(folded).filter(([key]) => key !== 'pattern' || folded.format !== 'date-time')
  return Object.fromEntries(entries.map(([key, value]) => [key, tidiedBelow(key, value)]))
}

/** `X` of `X or null`, where X is of one type. */
function nullableOf({ anyOf = [] }: JsonSchema): JsonSchema | undefined {
  const [inner, none, ...more] = anyOf
  const isPair = typeof inner === 'object' && typeof none === 'object' && none.type === 'null' && more.length === 0
  return isPair && typeof inner.type === 'string' && !inner.enum ? inner : undefined
}

const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

function tidiedBelow(key: string, value: unknown): unknown {
  if (key === 'properties' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, tidiedBelow('', field)]))
  }
  // What stands here is data, not schema.
  if (['default', 'examples', 'enum', 'const', 'required', 'type'].includes(key)) return value
  if (Array.isArray(value)) return value.map((part) => tidiedBelow('', part))
  return isObject(value) ? tidySchema(value) : value
}
