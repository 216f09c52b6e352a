import { z } from 'zod'
import { type DetailCode, detailCodes, type ErrorDetail } from '../../core/errors.ts'
import { didYouMean } from '../../core/lib/did-you-mean.ts'

/** `['scope', 'paths', 2]` is `scope.paths[2]`. */
export function fieldName(path: PropertyKey[], root: string): string {
  let name = ''
  for (const key of path) name += typeof key === 'number' ? `[${key}]` : `${name ? '.' : ''}${String(key)}`
  return name || root
}

const knownDetail = z.enum(detailCodes)

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = Reflect.get(value, key)
  }
  return value
}

function detailCode(issue: z.core.$ZodIssue, input: unknown): DetailCode {
  switch (issue.code) {
    case 'invalid_type':
      return valueAt(input, issue.path) === undefined ? 'required' : 'invalid_type'
    case 'too_big':
      if (issue.origin === 'string') return 'too_long'
      return issue.origin === 'array' ? 'too_many' : 'invalid_value'
    case 'too_small':
      return issue.origin === 'string' ? 'too_short' : 'invalid_value'
    case 'invalid_value':
      return valueAt(input, issue.path) === undefined ? 'required' : 'invalid_value'
    case 'custom':
      return knownDetail.safeParse(issue.params?.detail).data ?? 'invalid_value'
    default:
      return 'invalid_value'
  }
}

const truncated = (name: string) => (name.length > 100 ? `${name.slice(0, 100)}…` : name)

const article = (noun: string) => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`)

/** Plain words for zod's names of types. */
const plainTypes: ReadonlyMap<string, string> = new Map([
  ['array', 'list'],
  ['int', 'integer'],
  ['record', 'map'],
])

/** Describes an issue in plain words. For an invalid key, zod has the reason in a nested issue. */
export function plainMessage(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(plainTypes.get(issue.expected) ?? issue.expected)}`
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`
    case 'too_big':
      return issue.origin === 'array' ? `must have at most ${issue.maximum} items` : `must be at most ${issue.maximum}`
    case 'too_small':
      return issue.origin === 'array'
        ? `must have at least ${issue.minimum} items`
        : `must be at least ${issue.minimum}`
    case 'invalid_key':
      return issue.issues[0] ? `the name ${issue.issues[0].message}` : issue.message
    default:
      return issue.message
  }
}

/** The fields of an object and of the objects in it, such as `scope.paths`. */
function fieldPaths(schema: z.core.$ZodType, prefix = ''): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return fieldPaths(schema.unwrap(), prefix)
  if (schema instanceof z.ZodPipe) return fieldPaths(schema.in, prefix)
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape).flatMap(([name, field]) => [
    prefix + name,
    ...fieldPaths(field, `${prefix}${name}.`),
  ])
}

/** The field that may be meant by an unknown one: one of its name elsewhere, else one of a similar name. */
function hintFor(field: string, schema: z.core.$ZodType | undefined): string {
  const known = schema ? fieldPaths(schema) : []
  const elsewhere = known.find((path) => path.endsWith(`.${field}`))
  const hint = elsewhere === undefined ? didYouMean(field, known) : ` Did you mean ${elsewhere}?`
  return hint && `.${hint}`
}

function details(issue: z.core.$ZodIssue, { input, root, schema }: Parsed): ErrorDetail[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const field = truncated(fieldName([...issue.path, key], root))
      return { field, code: 'unknown_field', message: `is not known here${hintFor(field, schema)}` }
    })
  }
  const code = detailCode(issue, input)
  const message = code === 'required' ? 'is required' : plainMessage(issue)
  return [{ field: truncated(fieldName(issue.path, root)), code, message }]
}

interface Parsed {
  input: unknown
  /** The field of an issue with the whole input. */
  root: string
  /** Absent where unknown fields get no hint. */
  schema?: z.core.$ZodType
}

/** Maps zod's issues to details (docs/rules.md#field-errors). */
export function everyDetail(error: z.ZodError, parsed: Parsed): ErrorDetail[] {
  return error.issues.flatMap((issue) => details(issue, parsed))
}

/** The first 100 details. */
export function issueDetails(error: z.ZodError, parsed: Parsed): ErrorDetail[] {
  return everyDetail(error, parsed).slice(0, 100)
}
