import { isWithin } from '../../lib/clock.ts'
import { createCoalescer, type PendingRequest } from '../../lib/coalesce.ts'
import { createTokenCache } from './token-cache.ts'

/** A response of GitHub about one repository. */
export interface FoundAnswer<Value> {
  value: Value
  /** When the request was sent, in ms since 1970. */
  requestedAt: number
  /** Null if the token sees no repository. */
  repositoryId: bigint | null
  /** `owner/name` in lower case: as requested, and as GitHub spells it. */
  nameKeys: readonly string[]
}

/** One question about a token and a repository: its last answers, and the requests that are pending. */
export interface LookUp<Value> {
  /** The last answer. One that is not fresh is only good for its ETag. */
  known(tokenKey: string, repository: string | bigint): { value: Value; isFresh: boolean } | null
  /**
   * Joins the pending request for the same answer, or starts one, and keeps its answer. If something was forgotten while the
   * request was pending, its callers get the answer, and it is not kept. `address` is that of the client.
   */
  ask(
    question: { tokenKey: string; repository: string | bigint; address: string },
    find: (pending: PendingRequest<string>) => Promise<FoundAnswer<Value>>,
  ): Promise<Value>
  forgetToken(tokenKey: string): void
  forgetRepository(id: bigint, nameKeys: readonly string[]): void
  forgetOwner(owner: string): void
  /** How many answers are kept, including those that are not fresh. */
  size(): number
}

/**
 * Keeps GitHub's answers per token and repository (docs/rules.md#permission-cache), each fresh for `freshMs` from its
 * request, not from the response. Holds at most `entries`, and drops the least recently used.
 */
export function createLookUp<Value>(options: {
  entries: number
  freshMs: (value: Value) => number
  now: () => number
  /** Called whenever an answer is looked for. */
  onSought?: (isKnown: boolean) => void
}): LookUp<Value> {
  const cache = createTokenCache<FoundAnswer<Value> & { tokenKey: string }>(options.entries)
  const requests = createCoalescer<Value, string>()

  function forget(matches: (found: FoundAnswer<Value>) => boolean): void {
    // What a pending request will find is not known yet.
    requests.invalidate()
    cache.forget(matches)
  }

  return {
    known(tokenKey, repository) {
      const found = cache.get(`${tokenKey} ${repository}`)
      const isFresh = found !== undefined && isWithin(found.requestedAt, options.freshMs(found.value), options.now())
      options.onSought?.(isFresh)
      return found === undefined ? null : { value: found.value, isFresh }
    },
    async ask({ tokenKey, repository, address }, find) {
      const key = `${tokenKey} ${repository}`
      const start = async (pending: PendingRequest<string>) => {
        const found = await find(pending)
        if (pending.isCurrent) cache.set(key, { tokenKey, ...found })
        return found.value
      }
      return await requests.run(key, start, address)
    },
    forgetToken(tokenKey) {
      requests.invalidate((key) => key.startsWith(`${tokenKey} `))
      cache.forgetToken(tokenKey)
    },
    forgetRepository(id, nameKeys) {
      forget((found) => found.repositoryId === id || found.nameKeys.some((nameKey) => nameKeys.includes(nameKey)))
    },
    forgetOwner(owner) {
      const start = `${owner.toLowerCase()}/`
      forget(({ nameKeys }) => nameKeys.some((nameKey) => nameKey.startsWith(start)))
    },
    size: cache.size,
  }
}
