import type { ErrorDetail } from '../../../core/errors.ts'
import { getOrCreate } from '../../../core/lib/maps.ts'
import { fieldsOf } from '../http/openapi/schemas.ts'
import type { Operation } from '../operations/define.ts'
import { validationFailed } from '../operations/validate.ts'

type Arguments = Record<string, unknown>

const typesByOperation = new Map<Operation, Map<string, unknown>>()

function typesOf(route: Operation) {
  return getOrCreate(
    typesByOperation,
    route,
    () => new Map(fieldsOf(route.query).map(([name, { type }]) => [name, type])),
  )
}

/**
 * Turns the arguments of a tool into the query of its operation, whose values are text. Throws `validation_failed` if an
 * argument is not a number or boolean as the tool's schema says. The operation checks everything else.
 */
export function queryOf(route: Operation, args: Arguments): Arguments {
  const types = typesOf(route)
  const faults: ErrorDetail[] = []
  const entries = Object.entries(args).map(([name, value]) => {
    const type = types.get(name)
    if (type !== 'integer' && type !== 'boolean') return [name, value]
    if (typeof value === (type === 'integer' ? 'number' : type)) return [name, String(value)]
    const message = type === 'integer' ? 'must be an integer' : 'must be a boolean'
    faults.push({ field: name, code: 'invalid_type', message })
    return [name, value]
  })
  if (faults.length > 0) throw validationFailed(faults)
  return Object.fromEntries(entries)
}
