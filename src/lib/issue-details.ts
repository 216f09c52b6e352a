import { z } from 'zod'
import { type DetailCode, detailCodes, type ErrorDetail } from '../errors.ts'

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

function details(issue: z.core.$ZodIssue, input: unknown, root: string): ErrorDetail[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: truncated(fieldName([...issue.path, key], root)),
      code: 'unknown_field',
      message: 'is not known here',
    }))
  }
  const code = detailCode(issue, input)
  const message = code === 'required' ? 'is required' : plainMessage(issue)
  return [{ field: truncated(fieldName(issue.path, root)), code, message }]
}

/** Maps zod's issues to details (docs/rules.md#field-errors). `root` is the field of an issue with the whole input. */
export function everyDetail(error: z.ZodError, input: unknown, root: string): ErrorDetail[] {
  return error.issues.flatMap((issue) => details(issue, input, root))
}

/** The first 100 details. */
export function issueDetails(error: z.ZodError, input: unknown, root: string): ErrorDetail[] {
  return everyDetail(error, input, root).slice(0, 100)
}
