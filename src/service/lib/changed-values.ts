/** The values that differ from those of the row, by name. An undefined value is left out. */
export function changedValues(row: object, values: object) {
  const current = new Map<string, unknown>(Object.entries(row))
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== undefined && comparable(value) !== comparable(current.get(name)),
    ),
  )
}

function comparable(value: unknown): string {
  return JSON.stringify(typeof value === 'bigint' ? String(value) : value)
}
