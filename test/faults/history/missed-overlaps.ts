/** An answered create with one path, and how long its record was certainly live. */
export interface CreateResult {
  id: string
  path: string
  from: number
  until: number
  /** The first attempt to end it, or Infinity. */
  endedFrom: number
  /** The activities in the response's overlap. */
  named: readonly string[]
}

/**
 * Of two colliding creates at least one response names the other (docs/rules.md#concurrent-creates). If one was answered
 * before the other was sent, the later one does. Returns a line for each pair that violates this. Compares creates of one
 * path while both are live.
 */
export function missedOverlaps(creates: readonly CreateResult[]): string[] {
  const sorted = [...creates].sort((a, b) => a.from - b.from)
  return sorted.flatMap((first, at) =>
    sorted.slice(at + 1).flatMap((second) => {
      const over = Math.max(first.until, second.until)
      if (first.path !== second.path || first.endedFrom <= over || second.endedFrom <= over) return []
      const isNamed = second.named.includes(first.id) || (first.until >= second.from && first.named.includes(second.id))
      return isNamed ? [] : [`${second.id} and ${first.id} collide on ${first.path}, and no response says so`]
    }),
  )
}
