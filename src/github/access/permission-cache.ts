import { isWithin } from '../../lib/clock.ts'
import { type EmitEvent, ignoreEvents } from '../../lib/events.ts'
import { repositoryNameKey } from '../names.ts'
import type { Visible } from './parse-access-response.ts'
import { createTokenCache } from './token-cache.ts'

const notVisibleMs = 10_000
const mayWriteMs = 600_000
const mayNotWriteMs = 60_000

/** What a token sees of a repository. */
export type Visibility = Visible | { kind: 'invisible' } | { kind: 'sso_required'; sso: string }

interface HeldSight {
  tokenKey: string
  /** `owner/name` as asked, in lower case. */
  nameKey: string
  sight: Visibility
  /** When GitHub was asked, in ms since 1970. */
  askedAt: number
}

interface HeldWrite {
  tokenKey: string
  /** `owner/name` of today, in lower case. */
  nameKey: string
  repositoryId: bigint
  mayWrite: boolean
  askedAt: number
}

export interface PermissionCache {
  /** The last answer, and whether it may still be believed; one that may not is good for its ETag. */
  sight(tokenKey: string, nameKey: string): { sight: Visibility; believed: boolean } | null
  keepVisibility(held: HeldSight): void
  /** The last answer to the write question that may still be believed. */
  mayWrite(tokenKey: string, repositoryId: bigint): boolean | null
  keepWrite(held: HeldWrite): void
  forgetToken(tokenKey: string): void
  forgetRepository(id: bigint, nameKeys: readonly string[]): void
  forgetOwner(owner: string): void
  /** How many answers are held, those that are too old to be believed included. */
  size(): { sight: number; write: number }
}

/**
 * Caches GitHub's answers per token and repository (docs/rules.md#permission-cache). A visible repository is cached for
 * `permissionCacheMs`, a 404 or 403 for 10 s at most, counted from the request, not from the answer. Holds at most
 * `entries` of each kind; the least recently used go first.
 */
export function createPermissionCache(options: {
  permissionCacheMs: number
  entries: number
  now: () => number
  /** Told of every answer that is looked up, and whether it is there to be believed. */
  observe?: EmitEvent
}): PermissionCache {
  const { observe = ignoreEvents } = options
  const sights = createTokenCache<HeldSight>(options.entries)
  const writes = createTokenCache<HeldWrite>(options.entries)

  function isBelieved({ sight, askedAt }: HeldSight): boolean {
    const ms = sight.kind === 'seen' ? options.permissionCacheMs : Math.min(notVisibleMs, options.permissionCacheMs)
    return isWithin(askedAt, ms, options.now())
  }

  return {
    sight(tokenKey, nameKey) {
      const held = sights.get(`${tokenKey} ${nameKey}`)
      const believed = held !== undefined && isBelieved(held)
      observe({ kind: 'permission', question: 'sight', isKnown: believed })
      return held === undefined ? null : { sight: held.sight, believed }
    },
    keepVisibility: (held) => void sights.set(`${held.tokenKey} ${held.nameKey}`, held),
    mayWrite(tokenKey, repositoryId) {
      const held = writes.get(`${tokenKey} ${repositoryId}`)
      const believed =
        held !== undefined && isWithin(held.askedAt, held.mayWrite ? mayWriteMs : mayNotWriteMs, options.now())
      observe({ kind: 'permission', question: 'write', isKnown: believed })
      return believed ? held.mayWrite : null
    },
    keepWrite: (held) => void writes.set(`${held.tokenKey} ${held.repositoryId}`, held),
    forgetToken(tokenKey) {
      sights.forgetToken(tokenKey)
      writes.forgetToken(tokenKey)
    },
    forgetRepository(id, nameKeys) {
      sights.forget(
        ({ sight, nameKey }) => nameKeys.includes(nameKey) || (sight.kind === 'seen' && sight.repository.id === id),
      )
      writes.forget(({ repositoryId }) => repositoryId === id)
    },
    forgetOwner(owner) {
      const isTheirs = (nameKey: string): boolean => nameKey.startsWith(`${owner.toLowerCase()}/`)
      const isTheirsToday = (sight: Visibility): boolean =>
        sight.kind === 'seen' && isTheirs(repositoryNameKey(sight.repository.owner, sight.repository.name))
      sights.forget(({ nameKey, sight }) => isTheirs(nameKey) || isTheirsToday(sight))
      writes.forget(({ nameKey }) => isTheirs(nameKey))
    },
    size: () => ({ sight: sights.size(), write: writes.size() }),
  }
}
