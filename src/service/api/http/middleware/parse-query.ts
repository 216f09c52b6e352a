import type { ErrorDetail } from '../../../../core/errors.ts'
import { validationFailed } from '../../operations/validate.ts'

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/**
 * Parses the parameters of a query. Throws `validation_failed` if one is given twice or is empty
 * (docs/rules.md#query-parameters). The result has no prototype, so a parameter may have any name.
 */
export function parseQuery(url: string): Record<string, string> {
  const start = url.indexOf('?')
  const query: Record<string, string> = Object.create(null)
  if (start === -1) return query
  const faults: ErrorDetail[] = []
  for (const part of url.slice(start + 1).split('&')) {
    if (part === '') continue
    // `URLSearchParams` drops a leading `?`, so a part that begins with one needs another before it.
    const [[name, value] = ['', '']] = new URLSearchParams(`?${part}`)
    if (!decodes(part)) {
      faults.push({ field: name, code: 'invalid_value', message: 'is not percent-encoded UTF-8' })
    } else if (name.endsWith(']')) {
      faults.push({ field: name, code: 'unknown_field', message: 'is not known here: parameters have no brackets' })
    } else if (Object.hasOwn(query, name)) {
      faults.push({ field: name, code: 'duplicate', message: 'is given more than once' })
    } else if (value === '') {
      faults.push({ field: name, code: 'invalid_value', message: 'is empty' })
    }
    query[name] = value
  }
  if (faults.length > 0) throw validationFailed(faults)
  return query
}
