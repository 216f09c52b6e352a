import { z } from 'zod'
import type { DetailCode } from '../errors.ts'

/**
 * Adds an issue with a detail code of the closed list (docs/rules.md#field-errors). `issueDetails` reads
 * `params.detail`.
 */
export function addFault(context: z.RefinementCtx, detail: DetailCode, message: string, path: PropertyKey[] = []) {
  context.addIssue({ code: 'custom', message, path, params: { detail } })
}

interface TextRule {
  /** In characters (Unicode code points), like `max`. */
  min: number
  max: number
  /** Whether to refuse control characters and text of white space only. */
  line?: boolean
}

/** The first fault of a text (docs/rules.md#text-fields). Text is neither trimmed nor normalised. */
export function textFault(text: string, { min, max, line = false }: TextRule): [DetailCode, string] | undefined {
  if (!text.isWellFormed()) return ['invalid_value', 'must not hold an unpaired surrogate']
  if (text.includes('\0')) return ['invalid_value', 'must not hold a NUL character']
  const length = text.length <= min ? text.length : Array.from(text).length
  if (length < min) return ['too_short', `must have at least ${min} character${min === 1 ? '' : 's'}`]
  if (length > max) return ['too_long', `must have at most ${max} characters, and has ${length}`]
  if (line && /\p{Cc}/u.test(text)) return ['invalid_value', 'must not hold control characters']
  if (line && text.trim() === '') return ['invalid_value', 'must not be white space alone']
  return undefined
}

/** A text of the API: well-formed Unicode without NUL, its length in code points (docs/rules.md#text-fields). */
export function text(rule: TextRule) {
  return z
    .string()
    .superRefine((value, context) => {
      const fault = textFault(value, rule)
      if (fault) addFault(context, ...fault)
    })
    .meta({ minLength: rule.min, maxLength: rule.max })
}

/** A text on one line: a title, a name, a label. */
export function line(max: number) {
  return text({ min: 1, max, line: true })
}

function branch(name: z.ZodType<string, string>, max: number) {
  const prefix = 'refs/heads/'
  return z
    .string()
    .transform((given) => (given.startsWith(prefix) ? given.slice(prefix.length) : given))
    .pipe(name)
    .meta({ minLength: 1, maxLength: max + prefix.length })
}

/** A branch name; a leading `refs/heads/` is dropped. git allows no colon in it (docs/rules.md#branch-names). */
export const branchName = branch(
  line(255).refine((name) => !name.includes(':'), 'must not hold a colon: git allows none'),
  255,
)

/** The branch of any activity: that of a fork is `owner:branch`. */
export const observedBranch = branch(line(300), 300)

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** Responses write a year in four digits, in UTC, and PostgreSQL has no year 0. */
const earliest = Date.parse('0001-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/** Any RFC 3339 timestamp with an offset (docs/rules.md#timestamps). */
export const timestamp = z
  .string()
  .transform((value, context) => {
    const instant = rfc3339.test(value) ? parseInstant(value) : undefined
    if (instant && instant.getTime() >= earliest && instant.getTime() <= latest) return instant
    addFault(
      context,
      'invalid_value',
      'must be an RFC 3339 timestamp with an offset, of the years 1 to 9999, such as 2026-11-20T09:30:00Z',
    )
    return z.NEVER
  })
  .meta({ format: 'date-time' })

function parseInstant(value: string): Date | undefined {
  const upper = value.toUpperCase()
  // JavaScript does not parse a leap second. It counts as the first instant of the next minute.
  const leap = upper.slice(17, 19) === '60'
  const parsed = new Date(leap ? `${upper.slice(0, 17)}59${upper.slice(19)}` : upper)
  if (Number.isNaN(parsed.getTime())) return undefined
  if (!isRealDate(upper)) return undefined
  return leap ? new Date(parsed.getTime() + 1000) : parsed
}

/** Whether the date exists. JavaScript reads 30 February as 2 March. */
function isRealDate(value: string): boolean {
  const day = value.slice(0, 10)
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().slice(0, 10) === day
}

/** Accepts `null` as an absent field (docs/rules.md#null-values). */
export function absentIfNull<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined)
}
