/**
 * The differences between a value and the expected value, as `path: value`. An object may have additional fields, a list
 * may not have additional items.
 */
export function differences(expected: unknown, found: unknown, path = ''): string[] {
  if (Array.isArray(expected)) {
    if (!Array.isArray(found) || found.length !== expected.length) return [differs(path, expected, found)]
    return expected.flatMap((one, index) => differences(one, found[index], `${path}[${index}]`))
  }
  if (isObject(expected)) {
    if (!isObject(found)) return [differs(path, expected, found)]
    return Object.entries(expected).flatMap(([key, one]) =>
      differences(one, found[key], path === '' ? key : `${path}.${key}`),
    )
  }
  return Object.is(expected, found) ? [] : [differs(path, expected, found)]
}

/** The value at a path such as `overlap.severity`, or undefined. */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce((inner: unknown, key) => (isObject(inner) ? inner[key] : undefined), value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function differs(path: string, expected: unknown, found: unknown): string {
  return `${path || 'it'} is ${JSON.stringify(found)}, and ought to be ${JSON.stringify(expected)}`
}
