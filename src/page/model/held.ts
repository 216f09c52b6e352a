/** Rows that stay where they are under a reader. */
interface Held {
  /** The rows to show: those shown before keep their place, also where they are gone. */
  keys: readonly string[]
  /** The rows that wait until the reader asks for them. */
  waiting: readonly string[]
}

/** One rule for all lists: what is shown stays, what is new waits. Undefined: nothing was shown yet. */
export function hold(shown: readonly string[] | undefined, current: readonly string[]): Held {
  if (shown === undefined) return { keys: current, waiting: [] }
  const before = new Set(shown)
  return { keys: shown, waiting: current.filter((key) => !before.has(key)) }
}
