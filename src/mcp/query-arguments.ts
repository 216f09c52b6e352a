import type { ErrorDetail } from '../errors.ts'
import { queryFields } from '../http/openapi/schemas.ts'
import { getOrCreate } from '../lib/maps.ts'
import type { Operation } from '../operations/define.ts'
import { validationFailed } from '../operations/validate.ts'

type Arguments = Record<string, unknown>

const known = new Map<Operation, Map<string, unknown>>()

function typesOf(route: Operation) {
  return getOrCreate(known, route, () => new Map(queryFields(route.query).map(([name, { type }]) => [name, type])))
}

/**
 * The arguments of a tool as the query of its route, which is read as text. Throws `validation_failed` where a number or
 * a boolean of the tool's schema is none here; what else is wrong is left for the route to refuse.
 */
export function queryOf(route: Operation, own: Arguments): Arguments {
  const types = typesOf(route)
  const faults: ErrorDetail[] = []
  const spelled = Object.entries(own).map(([name, value]) => {
    const type = types.get(name)
    if (type !== 'integer' && type !== 'boolean') return [name, value]
    if (typeof value === (type === 'integer' ? 'number' : type)) return [name, String(value)]
    const message = type === 'integer' ? 'must be an integer' : 'must be a boolean'
    faults.push({ field: name, code: 'invalid_type', message })
    return [name, value]
  })
  if (faults.length > 0) throw validationFailed(faults)
  return Object.fromEntries(spelled)
}
