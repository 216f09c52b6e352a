import { z } from 'zod'
import { settingsKeys } from './schema.ts'

/** Whole numbers in plain decimal digits: `Number()` would take '', ' 1 ' and '0x10' as well. */
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

function time({ minValue, maxValue }: z.ZodInt) {
  return whole(minValue ?? 0, maxValue ?? Number.MAX_SAFE_INTEGER).optional()
}

const notAMap = 'must be a JSON object of areas with lists of globs, such as {"web": ["src/web/**"]}'

const map = z.string().transform((text, context): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The same is to be said of it.
  }
  context.addIssue({ code: 'custom', message: notAMap })
  return z.NEVER
})

/** The variables of the operator's defaults: a list by commas, a map as JSON (docs/rules.md#operator-defaults). */
export const operatorVariables = {
  HEADSUP_ACTIVITY_TTL_MS: time(keys.activity_ttl_ms),
  HEADSUP_MAX_ACTIVITY_TTL_MS: time(keys.max_activity_ttl_ms),
  HEADSUP_NOTABLE_TTL_MS: time(keys.notable_ttl_ms),
  HEADSUP_DISABLED_NOTABLE_CATEGORIES: z
    .string()
    .transform((value) => value.split(',').map((word) => word.trim()))
    .pipe(keys.disabled_notable_categories)
    .optional(),
  HEADSUP_PR_REMINDER_AFTER_MS: time(keys.pr_reminder_after_ms),
  HEADSUP_AREAS: map.pipe(keys.areas).optional(),
}
