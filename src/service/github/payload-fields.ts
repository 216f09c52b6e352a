import { z } from 'zod'

/** GitHub's payloads always have ids. Hand-made ones may not (docs/rules.md#payload-identity). */
export const id = z
  .int()
  .positive()
  .nullish()
  .transform((value) => (typeof value === 'number' ? BigInt(value) : undefined))

/** PostgreSQL stores no NUL. GitHub allows none in a name. */
export const ref = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[^\0]*$/)
export const word = ref.optional().catch(undefined)
/** The number of a pull request is stored as PostgreSQL's integer. */
export const number = z.int().positive().max(2_147_483_647)

/** GitHub writes instants as text, and in a push as seconds. An unreadable one counts as absent. */
export const instant = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((value) => {
    if (value === null || value === undefined) return null
    const date = new Date(typeof value === 'number' ? value * 1000 : value)
    const year = date.getUTCFullYear()
    return year >= 1970 && year <= 9999 ? date : null
  })
