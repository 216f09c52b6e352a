import { z } from 'zod'
import { settingsKeys } from './schema.ts'

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

function duration({ minValue, maxValue }: z.ZodInt) {
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

/** The variables of the operator's defaults. A list is separated by commas, a map is JSON (docs/rules.md#operator-defaults). */
export const operatorVariables = {
  HEADSUP_ACTIVITY_TTL_MS: duration(keys.activity_ttl_ms),
  HEADSUP_MAX_ACTIVITY_TTL_MS: duration(keys.max_activity_ttl_ms),
  HEADSUP_NOTABLE_TTL_MS: duration(keys.notable_ttl_ms),
  HEADSUP_DISABLED_NOTABLE_CATEGORIES: z
    .string()
    .transform((value) => value.split(',').map((word) => word.trim()))
    .pipe(keys.disabled_notable_categories)
    .optional(),
  HEADSUP_PR_REMINDER_AFTER_MS: duration(keys.pr_reminder_after_ms),
  HEADSUP_AREAS: map.pipe(keys.areas).optional(),
}
