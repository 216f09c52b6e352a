/** Returns a function that adds a value to `values` and returns its placeholder, such as `$3`. */
export function sqlParams(values: unknown[]) {
  return (value: unknown) => `$${values.push(value)}`
}
export type SqlParams = ReturnType<typeof sqlParams>
