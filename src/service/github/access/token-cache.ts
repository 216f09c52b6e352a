import { LRUCache } from 'lru-cache'

export interface TokenCache<Entry extends { tokenKey: string }> {
  get(key: string): Entry | undefined
  set(key: string, entry: Entry): void
  forgetToken(tokenKey: string): void
  /** Forgets the entries that match. Reads every entry. */
  forget(matches: (entry: Entry) => boolean): void
  size(): number
  /** How many tokens have entries. */
  tokenCount(): number
}

/**
 * A least-recently-used cache of at most `entries` entries, each of which belongs to one token. The entries of a token are
 * found without a search, since strangers can have any number of tokens rejected.
 */
export function createTokenCache<Entry extends { tokenKey: string }>(entries: number): TokenCache<Entry> {
  const keysOf = new Map<string, Set<string>>()
  const cache = new LRUCache<string, Entry>({
    max: entries,
    dispose({ tokenKey }, key) {
      const keys = keysOf.get(tokenKey)
      keys?.delete(key)
      if (keys?.size === 0) keysOf.delete(tokenKey)
    },
  })

  return {
    get: (key) => cache.get(key),
    set(key, entry) {
      // The cache comes first: it disposes of an entry that is overwritten.
      cache.set(key, entry)
      const keys = keysOf.get(entry.tokenKey) ?? new Set()
      keysOf.set(entry.tokenKey, keys.add(key))
    },
    forgetToken(tokenKey) {
      for (const key of keysOf.get(tokenKey) ?? []) cache.delete(key)
    },
    forget(matches) {
      for (const [key, entry] of [...cache.entries()]) if (matches(entry)) cache.delete(key)
    },
    size: () => cache.size,
    tokenCount: () => keysOf.size,
  }
}
