/** A create that was answered, in a repository and on one path, and how long its record is sure to have been live. */
export interface Sight {
  id: string
  path: string
  from: number
  until: number
  /** When somebody first tried to end it; Infinity where nobody did. */
  endedFrom: number
  /** The activities that its overlap named. */
  named: readonly string[]
}

/**
 * Of two creates that collide at least one answer names the other (docs/rules.md#concurrent-creates): where one was
 * answered before the other was sent, the later one's. Returns a line for each pair where none does. Creates of one path
 * are compared, as long as both live.
 */
export function blindPairs(creates: readonly Sight[]): string[] {
  const sorted = [...creates].sort((a, b) => a.from - b.from)
  return sorted.flatMap((first, at) =>
    sorted.slice(at + 1).flatMap((second) => {
      const over = Math.max(first.until, second.until)
      if (first.path !== second.path || first.endedFrom <= over || second.endedFrom <= over) return []
      const told = second.named.includes(first.id) || (first.until >= second.from && first.named.includes(second.id))
      return told ? [] : [`${second.id} and ${first.id} collide on ${first.path}, and the answers do not say so`]
    }),
  )
}
