/** A map, a weak map or a cache. */
interface Memory<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** The value of this key, made the first time. */
export function getOrCreate<K, V>(known: Memory<K, V>, key: K, make: () => V): V {
  const found = known.get(key)
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}

/** The list of this key, an empty one to begin with. */
export function listFor<K, V>(lists: Map<K, V[]>, key: K): V[] {
  return getOrCreate(lists, key, () => [])
}
