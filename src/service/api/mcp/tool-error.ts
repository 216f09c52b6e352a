import type { AppError } from '../../../core/errors.ts'
import { errorGuides } from '../http/openapi/error-guides.ts'

/** An error as text for a model: what is wrong, which arguments, what to do. Lines have the names that the remedies use. */
export function errorText(error: AppError, requestId: string): string {
  const { code, message, details, allowed, limit, retryAfterSeconds, headers } = error
  const lines = [`${code}: ${message}`]
  if (details.length > 0) {
    lines.push('error.details:')
    for (const { field, code: detail, message: fault } of details) lines.push(`- ${field} (${detail}): ${fault}`)
  }
  if (allowed) lines.push(`error.allowed: ${allowed.join(', ') || '(none)'}`)
  if (limit) lines.push(`error.limit: ${limit}`)
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (retryAfterSeconds !== undefined) lines.push(`Retry-After: ${retryAfterSeconds}`)
  lines.push(`What to do: ${errorGuides[code].remedy}`, `request_id: ${requestId}`)
  return lines.join('\n')
}
