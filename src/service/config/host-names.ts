import { z } from 'zod'

const hostName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i

/** Host names separated by commas. */
export const hostNames = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim().toLowerCase()))
  .refine(
    (names) => names.every((name) => hostName.test(name)),
    'must be host names separated by commas, without schemes and ports',
  )
