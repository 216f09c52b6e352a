/** The order in which rows are shown, and how many changes of it wait. */
export interface Settled {
  keys: readonly string[]
  /** Rows that came, went or moved since the order is held. */
  waiting: number
}

/**
 * The rows to show. While somebody reads (`isHeld`), what is shown keeps its place: rows that came wait, and rows that went stay.
 * Otherwise the rows are shown as they are.
 */
export function settle(shown: readonly string[], current: readonly string[], isHeld: boolean): Settled {
  if (!isHeld) return { keys: current, waiting: 0 }
  const before = new Set(shown)
  const now = new Set(current)
  const came = current.filter((key) => !before.has(key)).length
  const went = shown.filter((key) => !now.has(key)).length
  return { keys: shown, waiting: came + went + moved(shown, current, before, now) }
}

/** How many rows that stayed are at another place among those that stayed. */
function moved(
  shown: readonly string[],
  current: readonly string[],
  before: ReadonlySet<string>,
  now: ReadonlySet<string>,
): number {
  const stayed = current.filter((key) => before.has(key))
  return shown.filter((key) => now.has(key)).filter((key, index) => key !== stayed[index]).length
}
