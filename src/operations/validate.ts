import type { z } from 'zod'
import { AppError, type ErrorDetail } from '../errors.ts'
import { issueDetails } from '../lib/issue-details.ts'

/** 400 `validation_failed` that says every fault, the first also in its message. */
export function validationFailed(found: ErrorDetail[]): AppError {
  const [first] = found
  return new AppError('validation_failed', first ? `${first.field}: ${first.message}` : 'The request is not valid.', {
    details: found,
  })
}

/** The input as the schema reads it; throws `validation_failed` naming every field at fault. */
export function validate<T extends z.ZodType>(schema: T, input: unknown, root: string): z.output<T> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw validationFailed(issueDetails(result.error, input, root))
}
