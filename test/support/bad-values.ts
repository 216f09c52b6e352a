import { z } from 'zod'

/** What is used of a JSON Schema. */
export interface Schema {
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

/** The properties of what an operation takes. */
export function propertiesOf(schema: z.ZodType): Record<string, Schema> {
  const { properties = {} }: Schema = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' })))
  return properties
}

const anyValues = { string: 'x', integer: 7, boolean: true, array: [], object: {}, null: null, number: 7.5 }

/** Values that the schema does not take, each with what is wrong. */
export function badValues(schema: Schema): [what: string, value: unknown][] {
  const options = schema.anyOf ?? [schema]
  const types = options.flatMap(({ type, enum: words }) => type ?? (words ? 'string' : []))
  const ofOtherTypes = Object.entries(anyValues).filter(([type]) => !types.includes(type))
  return [...ofOtherTypes, ...options.flatMap(badOfType)]
}

export function badOfType(schema: Schema): [string, unknown][] {
  const { minLength, maxLength, pattern, format, minimum, maximum, maxItems, items, properties } = schema
  const bad: [string, unknown][] = []
  if (schema.enum) bad.push(['another word', 'nonsense'])
  if (schema.type === 'string') bad.push(['a NUL', 'a\0b'], ['half a character', 'a\ud800'])
  if (minLength) bad.push(['an empty text', ''])
  if (maxLength !== undefined) bad.push(['a long text', 'x'.repeat(maxLength + 1)])
  if (pattern || format) bad.push(['another form', '§'])
  if (minimum !== undefined) bad.push(['too small', minimum - 1])
  if (maximum !== undefined) bad.push(['too large', maximum + 1])
  if (maxItems !== undefined && items) bad.push(['too many', Array(maxItems + 1).fill(goodValue(items))])
  if (items) bad.push(...badValues(items).map(([what, value]): [string, unknown] => [`an item: ${what}`, [value]]))
  for (const [name, property] of Object.entries(properties ?? {})) {
    const rest = goodValue(schema) as object
    for (const [what, value] of badValues(property)) bad.push([`${name}: ${what}`, { ...rest, [name]: value }])
  }
  if (schema.type === 'object') bad.push(['an unknown field', { ...(goodValue(schema) as object), nonsense: 1 }])
  return bad
}

/** The least that the schema takes. */
export function goodValue({
  type,
  enum: words,
  anyOf,
  minimum = 1,
  properties = {},
  required = [],
  items,
}: Schema): unknown {
  if (words) return words[0]
  if (anyOf?.[0]) return goodValue(anyOf[0])
  if (type === 'integer') return minimum
  if (type === 'boolean') return true
  if (type === 'array') return items?.type === 'integer' ? [1, 1] : []
  if (type !== 'object') return 'x'
  return Object.fromEntries(required.map((name) => [name, goodValue(properties[name] ?? {})]))
}
