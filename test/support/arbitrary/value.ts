import fc from 'fast-check'
import { codePoint } from './code-point.ts'
import { resolved, type ValueSchema } from './document.ts'
import { hostileJson, memberNames } from './hostile.ts'

/** Realistic values by member name. Without them nearly every request would be refused. */
const likely: Record<string, fc.Arbitrary<unknown>> = {
  branch: fc.constantFrom('main', 'feature/login', 'refs/heads/feature/login', 'a%2Fb', 'ünïcode', '_%'),
  base_branch: fc.constantFrom('main', 'release/1', 'feature/login'),
  paths: fc.array(fc.constantFrom('src/auth', 'src/**/*.ts', '**/*.md', 'docs', '{a,b}/[c-e]?', 'pages/\\[id\\].tsx'), {
    maxLength: 5,
  }),
  areas: fc.array(fc.constantFrom('auth', 'AUTH', 'İstanbul', '__proto__', 'x_%'), { maxLength: 4 }),
  decision_url: fc.constantFrom('https://example.com/adr/7', 'http://[::1]:8080/x?y#z', null),
  pr_url: fc.constantFrom('https://github.com/acme/repo-1/pull/7', 'https://github.com/acme/repo-2/pull/1/files', null),
  title: fc.constantFrom('Rework the login', 'ﬁnal ß İ', '__proto__'),
  actor: fc.constantFrom('Alice', 'bob', 'O’Hara'),
  supersedes: fc.constant([]),
  // 50 proposals of many fields each would nearly always hold an invalid one.
  proposals: fc.array(
    fc.constantFrom(
      { scope: { paths: ['src/auth'] } },
      { scope: { areas: ['auth'] }, branch: 'feature/login', base_branch: 'main' },
      { changes: { files: [{ path: 'src/auth/login.ts', lines: [[1, 3]] }] } },
    ),
    { minLength: 2, maxLength: 4 },
  ),
}

/** Generates a value that the schema allows. `known` are realistic texts by member name. */
export function validValue(given: ValueSchema, name = '', known: Known = {}): fc.Arbitrary<unknown> {
  const schema = resolved(given)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => validValue(one, name, known)))
  const types = schema.type === undefined ? [] : [schema.type].flat()
  const values = types.map((type) => ofType(type, schema, known))
  const sample = known[name] ?? likely[name]
  const enumerated = schema.enum && fc.constantFrom(...schema.enum)
  if (enumerated) return types.includes('null') ? fc.oneof(enumerated, fc.constant(null)) : enumerated
  if (sample) return fc.oneof({ weight: 3, arbitrary: sample }, ...values)
  return fc.oneof(...values)
}

export type Known = Record<string, fc.Arbitrary<unknown>>

function ofType(type: string, schema: ValueSchema, known: Known): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 })
    case 'array':
      return fc.array(validValue(schema.items ?? {}, '', known), {
        minLength: schema.minItems ?? 0,
        maxLength: schema.maxItems ?? 10,
      })
    case 'object':
      return objectOf(schema, known)
    case 'string':
      return textOf(schema)
  }
  throw new Error(`a type that no value is made of: ${type}`)
}

function objectOf({ properties = {}, required }: ValueSchema, known: Known): fc.Arbitrary<unknown> {
  const members: [string, fc.Arbitrary<unknown>][] = Object.entries(properties).map(([name, schema]) => {
    return [name, validValue(schema, name, known)]
  })
  const values: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(members)
  return fc.record(values, { requiredKeys: required ?? [] })
}

const pathCharacter = fc.oneof(
  fc.constantFrom(...`abyzABYZ0189-._~!$&'()*+,;=:@`),
  codePoint.map((text) => encodeURIComponent(text)),
)
const pathSegments = fc.array(fc.string({ unit: pathCharacter, maxLength: 10 }), { maxLength: 5 })

/** As `fc.webUrl`, which builds the map that `codePoint` spares. */
const url = fc
  .tuple(fc.constantFrom('http', 'https'), fc.webAuthority(), pathSegments)
  .map(([scheme, authority, segments]) => `${scheme}://${[authority, ...segments].join('/')}`)

function textOf({ pattern, format, minLength = 0, maxLength = 300 }: ValueSchema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  if (format === 'date-time') return fc.date({ noInvalidDate: true, max: new Date('9999-01-01') }).map(toTimestamp)
  if (format === 'uri') return url
  const longest = fc.constantFrom('x', '💥', '\u0301').map((unit) => unit.repeat(maxLength))
  const line = fc.string({ unit: 'grapheme-ascii', minLength, maxLength })
  return fc.oneof({ weight: 4, arbitrary: line }, fc.string({ unit: codePoint, minLength, maxLength }), longest)
}

function toTimestamp(date: Date): string {
  const text = date.toISOString()
  return text.startsWith('+') || text.startsWith('-') ? '2026-11-20T09:30:00Z' : text
}

/** The value with one change: another value, a missing member, or an unknown member. */
export function broken(value: unknown): fc.Arbitrary<unknown> {
  const places = placesOf(value)
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(fc.constantFrom(...places), hostileJson).map(([place, put]) => at(value, place, put)),
    },
    { weight: 1, arbitrary: fc.constantFrom(...places).map((place) => at(value, place, undefined)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...places), fc.constantFrom(...memberNames), hostileJson)
        .map(([place, name, put]) => at(value, [...place, name], put)),
    },
  )
}

type Place = readonly string[]

function placesOf(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [place]
  return [place, ...Object.entries(value).flatMap(([key, child]) => placesOf(child, [...place, key]))]
}

/** A copy with something else at the place; `__proto__` becomes a member like any other, as in JSON. */
function at(value: unknown, [key, ...below]: Place, put: unknown): unknown {
  if (key === undefined) return put
  if (Array.isArray(value)) {
    const items: unknown[] = value
    return items.map((item, index) => (String(index) === key ? at(item, below, put) : item))
  }
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const changed = new Map<string, unknown>(members)
  changed.set(key, at(changed.get(key), below, put))
  return Object.fromEntries(changed)
}
