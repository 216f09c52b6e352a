/** A map, a weak map or a cache. */
interface MapLike<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): unknown
}

/** The value of this key. Creates it if there is none. */
export function getOrCreate<K, V>(map: MapLike<K, V>, key: K, make: () => V): V {
  const found = map.get(key)
  if (found !== undefined) return found
  const made = make()
  map.set(key, made)
  return made
}

/** The list of this key. Creates an empty one if there is none. */
export function listFor<K, V>(lists: Map<K, V[]>, key: K): V[] {
  return getOrCreate(lists, key, () => [])
}
