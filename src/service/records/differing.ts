import { isDeepStrictEqual } from 'node:util'

/** The columns that are not yet so in a row: a write of the same values moves nothing. */
export function differing<Columns extends object>(row: object, columns: Columns): Partial<Columns> {
  const changed = Object.entries(columns).filter(([name, value]) => !isDeepStrictEqual(Reflect.get(row, name), value))
  return Object.fromEntries(changed) as Partial<Columns>
}
