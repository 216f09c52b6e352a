import type { JsonSchema } from '../openapi/tidy-schema.ts'
import { type Html, html, phrase } from './html.ts'

export interface Row {
  name: string
  type: Html
  required: boolean
  notes: Html
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

const schemaOrEmpty = (schema: unknown) => (isSchema(schema) ? schema : {})

/** A link to the schema that a `$ref` names. */
function link(ref: string): Html {
  const name = ref.slice(ref.lastIndexOf('/') + 1)
  return html`<a href="#schema-${name}">${name}</a>`
}

/** The type of a value in words, such as `string or null`, `array of string` or the values of an enumeration. */
export function typeOf(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) return link(schema.$ref)
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.anyOf) return joined(schema.anyOf.map((part) => typeOf(schemaOrEmpty(part))))
  if (schema.enum) return joined(schema.enum.map((word) => html`<code>${String(word)}</code>`))
  if (schema.type === undefined) return html`any`
  const types = [schema.type].flat()
  return joined(types.map((type) => typeNamed(type, schema)))
}

function typeNamed(type: string, schema: JsonSchema): Html {
  if (type === 'array') {
    const { minItems, maxItems } = schema
    const item = typeOf(schemaOrEmpty(schema.items))
    if (minItems === undefined || minItems !== maxItems) return html`array of ${item}`
    return html`[${Array.from({ length: minItems }, (_, index) => [index === 0 ? '' : ', ', item])}]`
  }
  if (type === 'object' && isSchema(schema.additionalProperties)) {
    return html`map to ${typeOf(schema.additionalProperties)}`
  }
  return schema.format === 'date-time' && type === 'string' ? html`timestamp` : html`${type}`
}

function joined(parts: Html[]): Html {
  return html`${parts.map((part, index) => [index === 0 ? '' : index === parts.length - 1 ? ' or ' : ', ', part])}`
}

/** The limits of a value, its default and an example, in words. */
function limits(schema: JsonSchema): string[] {
  const { minLength, maxLength, maxItems, minimum, maximum } = schema
  const [example] = Array.isArray(schema.examples) ? schema.examples : []
  return [
    ...(maxLength === undefined ? [] : [`${minLength ?? 0} to ${maxLength} characters.`]),
    ...(maxItems === undefined || maxItems === schema.minItems ? [] : [`At most ${maxItems}.`]),
    ...(minimum === undefined || maximum === undefined || maximum > 1e12 ? [] : [`${minimum} to ${maximum}.`]),
    ...(schema.default === undefined ? [] : [`Default: \`${JSON.stringify(schema.default)}\`.`]),
    ...(example === undefined ? [] : [`Example: \`${JSON.stringify(example)}\`.`]),
  ]
}

export function fieldRow(name: string, schema: JsonSchema, required: boolean): Row {
  const notes = [schema.description ?? '', ...limits(schema)].filter((text) => text !== '').join(' ')
  return { name, type: typeOf(schema), required, notes: phrase(notes) }
}

/** A row for every field of an object and of the objects inside it, named by its path. */
export function fieldRows(schema: JsonSchema, prefix = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const field = schemaOrEmpty(value)
    const name = `${prefix}${key}`
    const inArray = schemaOrEmpty(field.items)
    const below = inArray.properties ? fieldRows(inArray, `${name}[].`) : fieldRows(field, `${name}.`)
    return [fieldRow(name, field, schema.required?.includes(key) === true), ...below]
  })
}

/** The end of an id of a field: `files[].path` becomes `files.path`. */
const idOf = (name: string) => name.replaceAll('[]', '')

/** Fields or parameters under a heading. Each has an id that begins with that of its section. */
export function fieldList(heading: string, section: string, rows: Row[], marksRequired: boolean): Html {
  const item = ({ name, type, required, notes }: Row) => html`
<div class="field in-${name.split('.').length - 1}" id="${section}.${idOf(name)}"><dt><code>${name}</code> <span class="type">${type}</span>${
    marksRequired && required ? html` <em>required</em>` : ''
  }</dt><dd>${notes}</dd></div>`
  return html`
<h4>${heading}</h4>
<dl>${rows.map(item)}</dl>`
}
