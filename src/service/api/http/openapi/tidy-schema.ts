import type { z } from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * Shortens a schema that zod wrote. A nullable schema becomes one schema of two types, which keeps its description. A
 * timestamp loses its pattern of 400 characters, as `date-time` says the same. A tuple becomes an array of its length.
 */
export function tidySchema(schema: JsonSchema): JsonSchema {
  const { $schema, $id, ...rest } = withoutPlaces(schema)
  const inner = nullableOf(rest)
  const { anyOf, ...own } = rest
  const merged = inner ? { ...inner, ...own, type: [inner.type, 'null'] } : rest
  const entries = Object.entries(merged).filter(([key]) => key !== 'pattern' || merged.format !== 'date-time')
  return Object.fromEntries(entries.map(([key, value]) => [key, tidiedBelow(key, value)]))
}

/**
 * An array instead of a tuple, whose places have to be alike: to a client that reads the schema as draft 7, `prefixItems`
 * says nothing, and the `items: false` beside it refuses every item.
 */
function withoutPlaces({ prefixItems, ...schema }: JsonSchema): JsonSchema {
  if (prefixItems === undefined) return schema
  const [items, ...others] = new Set(prefixItems.map((place) => JSON.stringify(place)))
  if (items === undefined || others.length > 0)
    throw new Error('The places of a tuple differ, so no array stands for it')
  return { ...schema, items: JSON.parse(items), minItems: prefixItems.length, maxItems: prefixItems.length }
}

/** Returns X of `X or null`, if X has one type and no enumeration. */
function nullableOf({ anyOf = [] }: JsonSchema): JsonSchema | undefined {
  const [inner, nothing, ...more] = anyOf
  const isPair =
    typeof inner === 'object' && typeof nothing === 'object' && nothing.type === 'null' && more.length === 0
  return isPair && typeof inner.type === 'string' && !inner.enum ? inner : undefined
}

const isObject = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

function tidiedBelow(key: string, value: unknown): unknown {
  if (key === 'properties' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, tidiedBelow('', field)]))
  }
  // These keywords hold data, not schemas.
  if (['default', 'examples', 'enum', 'const', 'required', 'type'].includes(key)) return value
  if (Array.isArray(value)) return value.map((part) => tidiedBelow('', part))
  return isObject(value) ? tidySchema(value) : value
}
