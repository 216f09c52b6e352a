import { z } from 'zod'
import { type Settings, settingsKeys } from './schema.ts'

/** Parses whole numbers in plain decimal digits. `Number()` alone would accept '', ' 1 ' and '0x10'. */
export function whole(min: number, max: number) {
  return z
    .string()
    .refine(
      (text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number in plain digits, ${min} to ${max}`,
    )
    .transform(Number)
}

const keys = settingsKeys(1_000)

function integer({ minValue, maxValue }: z.ZodInt) {
  return whole(minValue ?? 0, maxValue ?? Number.MAX_SAFE_INTEGER).optional()
}

const mapMessage = 'must be a JSON object of areas with lists of globs, such as {"web": ["src/web/**"]}'

const map = z.string().transform((text, context): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Text that is not JSON gets the same message.
  }
  context.addIssue({ code: 'custom', message: mapMessage })
  return z.NEVER
})

const truth = z.enum(['true', 'false']).transform((word) => word === 'true')

const listMessage = 'must be a list separated by commas, or a JSON list such as ["a","b"]'

/** A text that begins with `[` is a JSON list, so that an item may hold a comma. */
const list = z.string().transform((text, context): unknown => {
  if (!text.trimStart().startsWith('[')) return text.split(',').map((item) => item.trim())
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: listMessage })
    return z.NEVER
  }
})

/**
 * The variables of the operator's defaults. A list is separated by commas or JSON, a map is JSON
 * (docs/rules.md#operator-defaults).
 */
export const operatorVariables = {
  HEADSUP_ACTIVITY_TTL_MS: integer(keys.activity_ttl_ms),
  HEADSUP_MAX_ACTIVITY_TTL_MS: integer(keys.max_activity_ttl_ms),
  HEADSUP_NOTABLE_TTL_MS: integer(keys.notable_ttl_ms),
  HEADSUP_DISABLED_NOTABLE_CATEGORIES: list.pipe(keys.disabled_notable_categories).optional(),
  HEADSUP_PR_REMINDER_AFTER_MS: integer(keys.pr_reminder_after_ms),
  HEADSUP_AREAS: map.pipe(keys.areas).optional(),
  HEADSUP_ENABLED: truth.optional(),
  HEADSUP_OBSERVE: list.pipe(keys.observe).optional(),
  HEADSUP_PULL_REQUEST_TTL_MS: integer(keys.pull_request_ttl_ms),
  HEADSUP_BRANCH_TTL_MS: integer(keys.branch_ttl_ms),
  HEADSUP_MAX_FILES: integer(keys.max_files),
  HEADSUP_PULL_REQUEST_REPORT: keys.pull_request_report.optional(),
  HEADSUP_PULL_REQUEST_REPORT_NOTABLES: truth.optional(),
  HEADSUP_IGNORED_PATHS: list.pipe(keys.ignored_paths).optional(),
  HEADSUP_IGNORED_BRANCHES: list.pipe(keys.ignored_branches).optional(),
  HEADSUP_IGNORED_AUTHORS: list.pipe(keys.ignored_authors).optional(),
}

type OperatorEnvironment = z.output<z.ZodObject<typeof operatorVariables>>

/** The settings whose variables are set. */
export function operatorSettings(env: OperatorEnvironment): Partial<Settings> {
  const given: { [Key in keyof Settings]: Settings[Key] | undefined } = {
    activity_ttl_ms: env.HEADSUP_ACTIVITY_TTL_MS,
    max_activity_ttl_ms: env.HEADSUP_MAX_ACTIVITY_TTL_MS,
    notable_ttl_ms: env.HEADSUP_NOTABLE_TTL_MS,
    disabled_notable_categories: env.HEADSUP_DISABLED_NOTABLE_CATEGORIES,
    pr_reminder_after_ms: env.HEADSUP_PR_REMINDER_AFTER_MS,
    areas: env.HEADSUP_AREAS,
    enabled: env.HEADSUP_ENABLED,
    observe: env.HEADSUP_OBSERVE,
    pull_request_ttl_ms: env.HEADSUP_PULL_REQUEST_TTL_MS,
    branch_ttl_ms: env.HEADSUP_BRANCH_TTL_MS,
    max_files: env.HEADSUP_MAX_FILES,
    pull_request_report: env.HEADSUP_PULL_REQUEST_REPORT,
    pull_request_report_notables: env.HEADSUP_PULL_REQUEST_REPORT_NOTABLES,
    ignored_paths: env.HEADSUP_IGNORED_PATHS,
    ignored_branches: env.HEADSUP_IGNORED_BRANCHES,
    ignored_authors: env.HEADSUP_IGNORED_AUTHORS,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
