import type { z } from 'zod'
import { AppError, type ErrorDetail } from '../../../core/errors.ts'
import { issueDetails } from '../../lib/issue-details.ts'

/** Creates `validation_failed` with every fault in its details and the first one in its message. */
export function validationFailed(details: ErrorDetail[]): AppError {
  const [first] = details
  return new AppError('validation_failed', first ? `${first.field}: ${first.message}` : 'The request is not valid.', {
    details,
  })
}

/** Parses the input. Throws `validation_failed` that names every invalid field. */
export function validate<T extends z.ZodType>(schema: T, input: unknown, root: string): z.output<T> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw validationFailed(issueDetails(result.error, { input, root, schema }))
}
