/** How many there are of each key. */
export interface Counts<Key> {
  add(key: Key): void
  subtract(key: Key): void
  of(key: Key): number
  keys(): Key[]
  total(): number
  /** The key with the highest count, the preferred one where several have it. */
  largest(preferred: Key): Key
}

export function createCounts<Key>(): Counts<Key> {
  const counts = new Map<Key, number>()
  let total = 0
  const of = (key: Key) => counts.get(key) ?? 0
  return {
    add(key) {
      total++
      counts.set(key, of(key) + 1)
    },
    subtract(key) {
      total--
      if (of(key) > 1) counts.set(key, of(key) - 1)
      else counts.delete(key)
    },
    of,
    keys: () => [...counts.keys()],
    total: () => total,
    largest(preferred) {
      let found = preferred
      for (const [key, count] of counts) if (count > of(found)) found = key
      return found
    },
  }
}
