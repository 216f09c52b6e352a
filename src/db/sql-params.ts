/** Numbers the values of a statement: `bind(value)` is its `$n`. */
export function binder(values: unknown[]) {
  return (value: unknown) => `$${values.push(value)}`
}
export type Bind = ReturnType<typeof binder>
