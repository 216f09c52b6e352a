import { describe, expect, it } from 'vitest'
import { fieldRows, typeOf } from '../../../../src/service/api/http/docs/fields.ts'
import { html, markdown } from '../../../../src/service/api/http/docs/html.ts'
import { tidySchema } from '../../../../src/service/api/http/openapi/tidy-schema.ts'

describe('html', () => {
  it('escapes every value once, in text and in attributes', () => {
    const inner = html`<b title="${`"'`}">${'<script>&'}</b>`
    expect(html`<p>${inner}${[inner, 1]}</p>`.markup).toBe(
      `<p>${'<b title="&quot;&#39;">&lt;script&gt;&amp;</b>'.repeat(2)}1</p>`,
    )
  })

  it('formats paragraphs, lists, code and emphasis, and escapes everything else', () => {
    expect(markdown('Use `<b>` **now**\nor\n\n- a\n- `b`').markup).toBe(
      '<p>Use <code>&lt;b&gt;</code> <strong>now</strong> or</p><ul><li>a</li><li><code>b</code></li></ul>',
    )
    expect(markdown('[x](javascript:1) <i>').markup).toBe('<p>[x](javascript:1) &lt;i&gt;</p>')
  })
})

describe('the type of a field in words', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ type: 'array', items: { type: 'string' } }, 'array of string'],
    [{ type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 }, '[integer, integer]'],
    [{ type: 'array', items: {} }, 'array of any'],
    [{ type: ['string', 'null'], format: 'date-time' }, 'timestamp or null'],
    [{ enum: ['a', 'b', 'c'] }, '<code>a</code>, <code>b</code> or <code>c</code>'],
    [{ anyOf: [{ enum: ['a'] }, { type: 'null' }] }, '<code>a</code> or null'],
    [{ const: 'x' }, '<code>&quot;x&quot;</code>'],
    [{ $ref: '#/components/schemas/Scope' }, '<a href="#schema-Scope">Scope</a>'],
    [{ type: 'object', additionalProperties: { type: 'integer' } }, 'map to integer'],
  ] as const)('%j', (schema, words) => {
    expect(typeOf(JSON.parse(JSON.stringify(schema))).markup).toBe(words)
  })

  it('names inner fields by their paths', () => {
    const details = { type: 'array' as const, items: { type: 'object' as const, properties: { field: {} } } }
    const error = { type: 'object' as const, properties: { code: {}, details }, required: ['code'] }
    expect(fieldRows({ properties: { error } }).map(({ name, required }) => [name, required])).toEqual([
      ['error', false],
      ['error.code', true],
      ['error.details', false],
      ['error.details[].field', false],
    ])
  })
})

describe('a shortened schema', () => {
  it('has null as a second type, and prefers the outer description to the inner one', () => {
    const inner = { type: 'string' as const, maxLength: 5, description: 'inner' }
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema' as const,
      anyOf: [inner, { type: 'null' as const }],
      description: 'outer',
    }
    expect(tidySchema(schema)).toEqual({ type: ['string', 'null'], maxLength: 5, description: 'outer' })
  })

  it('keeps enumerations with null, and fields whose names are keywords of JSON Schema', () => {
    const words = { anyOf: [{ type: 'string' as const, enum: ['a'] }, { type: 'null' as const }] }
    expect(tidySchema(words)).toEqual(words)
    const fields = { properties: { anyOf: { type: 'string' as const }, pattern: { type: 'string' as const } } }
    expect(tidySchema(fields)).toEqual(fields)
  })

  it('is an array of two where it was a pair, which a client of draft 7 reads as well', () => {
    const item = { type: 'integer' as const, minimum: 1 }
    const pair = { type: 'array' as const, prefixItems: [item, { ...item }], items: false }
    expect(tidySchema(pair)).toEqual({ type: 'array', items: item, minItems: 2, maxItems: 2 })
    expect(() => tidySchema({ ...pair, prefixItems: [item, { type: 'string' }] })).toThrow('places of a tuple differ')
  })

  it('loses its pattern only if it is a timestamp', () => {
    expect(tidySchema({ format: 'date-time', pattern: 'x' })).toEqual({ format: 'date-time' })
    expect(tidySchema({ type: 'string', pattern: 'x' })).toEqual({ type: 'string', pattern: 'x' })
  })
})
