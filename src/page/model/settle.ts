/** The order of the rows, and how many changes of it are held back. */
export interface Settled {
  keys: readonly string[]
  /** How many rows were added, removed or moved while the order is held. */
  waiting: number
}

/**
 * The rows to show. While somebody reads (`isHeld`), shown rows keep their place: added rows are held back, and removed
 * rows stay. Otherwise the current rows are shown.
 */
export function settle(shown: readonly string[], current: readonly string[], isHeld: boolean): Settled {
  if (!isHeld) return { keys: current, waiting: 0 }
  const before = new Set(shown)
  const now = new Set(current)
  const came = current.filter((key) => !before.has(key)).length
  const went = shown.filter((key) => !now.has(key)).length
  return { keys: shown, waiting: came + went + moved(shown, current, before, now) }
}

/** How many of the rows in both orders have moved relative to each other. */
function moved(
  shown: readonly string[],
  current: readonly string[],
  before: ReadonlySet<string>,
  now: ReadonlySet<string>,
): number {
  const stayed = current.filter((key) => before.has(key))
  return shown.filter((key) => now.has(key)).filter((key, index) => key !== stayed[index]).length
}
