/** Numbers the values of a statement: `bind(value)` is its `$n`. */
export function sqlParams(values: unknown[]) {
  return (value: unknown) => `$${values.push(value)}`
}
export type SqlParams = ReturnType<typeof sqlParams>
