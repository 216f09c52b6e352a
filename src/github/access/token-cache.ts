import { LRUCache } from 'lru-cache'

export interface TokenCache<Held extends { tokenKey: string }> {
  get(key: string): Held | undefined
  set(key: string, held: Held): void
  forgetToken(tokenKey: string): void
  /** Forgets whatever `goes`; looks at every entry. */
  forget(goes: (held: Held) => boolean): void
  size(): number
  /** How many tokens have entries: never more than there are entries. */
  tokenCount(): number
}

/**
 * At most so many entries, the least recently used go first; a key belongs to one token. Those of a token are found
 * without a search through all: strangers can have tokens refused at will, and it has to cost little.
 */
export function createTokenCache<Held extends { tokenKey: string }>(entries: number): TokenCache<Held> {
  const keysOf = new Map<string, Set<string>>()
  const cache = new LRUCache<string, Held>({
    max: entries,
    dispose({ tokenKey }, key) {
      const keys = keysOf.get(tokenKey)
      keys?.delete(key)
      if (keys?.size === 0) keysOf.delete(tokenKey)
    },
  })

  return {
    get: (key) => cache.get(key),
    set(key, held) {
      // In this order: an overwritten entry is disposed of too.
      cache.set(key, held)
      const keys = keysOf.get(held.tokenKey) ?? new Set()
      keysOf.set(held.tokenKey, keys.add(key))
    },
    forgetToken(tokenKey) {
      for (const key of keysOf.get(tokenKey) ?? []) cache.delete(key)
    },
    forget(goes) {
      for (const [key, held] of [...cache.entries()]) if (goes(held)) cache.delete(key)
    },
    size: () => cache.size,
    tokenCount: () => keysOf.size,
  }
}
