import { z } from 'zod'

/** The faults, as `field: message`. */
export function faultsOf(schema: z.ZodType, input: unknown): string[] {
  const { error } = schema.safeParse(input)
  return (error?.issues ?? []).map(({ path, message }) => `${z.core.toDotPath(path)}: ${message}`)
}
