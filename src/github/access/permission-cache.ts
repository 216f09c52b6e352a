import { isWithin } from '../../lib/clock.ts'
import { type EmitEvent, ignoreEvents } from '../../lib/events.ts'
import { repositoryNameKey } from '../names.ts'
import type { Visible } from './parse-access-response.ts'
import { createTokenCache } from './token-cache.ts'

const notVisibleMs = 10_000
const mayWriteMs = 600_000
const mayNotWriteMs = 60_000
const pullRequestsMs = 600_000
/** How long a request without a usable answer is not repeated, in ms. */
const noAnswerMs = 10_000

/** What a token sees of a repository. */
export type Visibility = Visible | { kind: 'invisible' } | { kind: 'sso_required'; sso: string }

interface CachedVisibility {
  tokenKey: string
  /** `owner/name` as requested, in lower case. */
  nameKey: string
  visibility: Visibility
  /** When the request was sent, in ms since 1970. */
  requestedAt: number
}

interface CachedWrite {
  tokenKey: string
  /** `owner/name` as GitHub spells it, in lower case. */
  nameKey: string
  repositoryId: bigint
  mayWrite: boolean
  requestedAt: number
}

interface CachedPullRequests {
  tokenKey: string
  /** `owner/name` as GitHub spells it, in lower case. */
  nameKey: string
  repositoryId: bigint
  /** Null if GitHub gave no usable answer. */
  mayRead: boolean | null
  requestedAt: number
}

export interface PermissionCache {
  /** The last result. One that is not fresh is only good for its ETag. */
  visibility(tokenKey: string, nameKey: string): { visibility: Visibility; isFresh: boolean } | null
  saveVisibility(entry: CachedVisibility): void
  /** The last result of the write probe, if it is fresh. */
  mayWrite(tokenKey: string, repositoryId: bigint): boolean | null
  saveWrite(entry: CachedWrite): void
  /** Whether the token may read pull requests, if the last answer is fresh. Without an answer it is false. */
  mayReadPullRequests(tokenKey: string, repositoryId: bigint): boolean | null
  savePullRequests(entry: CachedPullRequests): void
  forgetToken(tokenKey: string): void
  forgetRepository(id: bigint, nameKeys: readonly string[]): void
  forgetOwner(owner: string): void
  /** How many results are cached, including those that are not fresh. The keys are labels of a metric. */
  size(): { sight: number; write: number }
}

/**
 * Caches GitHub's responses per token and repository (docs/rules.md#permission-cache). A visible repository is cached for
 * `permissionCacheMs`, a 404 or 403 for 10 s at most, counted from the request, not from the response. Holds at most
 * `entries` of each kind, and drops the least recently used.
 */
export function createPermissionCache(options: {
  permissionCacheMs: number
  entries: number
  now: () => number
  /** Receives an event for every look-up. */
  emit?: EmitEvent
}): PermissionCache {
  const { emit = ignoreEvents } = options
  const visibilities = createTokenCache<CachedVisibility>(options.entries)
  const writes = createTokenCache<CachedWrite>(options.entries)
  const pullRequests = createTokenCache<CachedPullRequests>(options.entries)

  function isVisibilityFresh({ visibility, requestedAt }: CachedVisibility): boolean {
    const { permissionCacheMs } = options
    const ms = visibility.kind === 'visible' ? permissionCacheMs : Math.min(notVisibleMs, permissionCacheMs)
    return isWithin(requestedAt, ms, options.now())
  }

  function isWriteFresh({ mayWrite, requestedAt }: CachedWrite): boolean {
    return isWithin(requestedAt, mayWrite ? mayWriteMs : mayNotWriteMs, options.now())
  }

  return {
    visibility(tokenKey, nameKey) {
      const entry = visibilities.get(`${tokenKey} ${nameKey}`)
      const isFresh = entry !== undefined && isVisibilityFresh(entry)
      emit({ kind: 'permission', question: 'sight', isKnown: isFresh })
      return entry === undefined ? null : { visibility: entry.visibility, isFresh }
    },
    saveVisibility: (entry) => void visibilities.set(`${entry.tokenKey} ${entry.nameKey}`, entry),
    mayWrite(tokenKey, repositoryId) {
      const entry = writes.get(`${tokenKey} ${repositoryId}`)
      const isFresh = entry !== undefined && isWriteFresh(entry)
      emit({ kind: 'permission', question: 'write', isKnown: isFresh })
      return isFresh ? entry.mayWrite : null
    },
    saveWrite: (entry) => void writes.set(`${entry.tokenKey} ${entry.repositoryId}`, entry),
    mayReadPullRequests(tokenKey, repositoryId) {
      const entry = pullRequests.get(`${tokenKey} ${repositoryId}`)
      if (entry === undefined) return null
      const ms = entry.mayRead === null ? noAnswerMs : pullRequestsMs
      return isWithin(entry.requestedAt, ms, options.now()) ? entry.mayRead === true : null
    },
    savePullRequests: (entry) => void pullRequests.set(`${entry.tokenKey} ${entry.repositoryId}`, entry),
    forgetToken(tokenKey) {
      pullRequests.forgetToken(tokenKey)
      visibilities.forgetToken(tokenKey)
      writes.forgetToken(tokenKey)
    },
    forgetRepository(id, nameKeys) {
      visibilities.forget(({ visibility, nameKey }) => nameKeys.includes(nameKey) || isRepository(visibility, id))
      writes.forget(({ repositoryId }) => repositoryId === id)
      pullRequests.forget(({ repositoryId }) => repositoryId === id)
    },
    forgetOwner(owner) {
      const isTheirs = (nameKey: string): boolean => nameKey.startsWith(`${owner.toLowerCase()}/`)
      visibilities.forget(({ nameKey, visibility }) => {
        // A repository may be requested by a name from before a rename.
        return isTheirs(nameKey) || (visibility.kind === 'visible' && isTheirs(currentNameKey(visibility)))
      })
      writes.forget(({ nameKey }) => isTheirs(nameKey))
      pullRequests.forget(({ nameKey }) => isTheirs(nameKey))
    },
    size: () => ({ sight: visibilities.size(), write: writes.size() }),
  }
}

function isRepository(visibility: Visibility, id: bigint): boolean {
  return visibility.kind === 'visible' && visibility.repository.id === id
}

function currentNameKey({ repository }: Visible): string {
  return repositoryNameKey(repository.owner, repository.name)
}
