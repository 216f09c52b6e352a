import type { WaitForGithub } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { type EmitEvent, ignoreEvents } from '../../lib/events.ts'
import { createFairLimit } from '../../lib/fair-limit.ts'
import type { Log } from '../../lib/log.ts'
import { canBeToken, isRepositoryName, repositoryNameKey, showsPermissionsWrong } from '../names.ts'
import { forbidden, githubUnavailable, invalidToken, ssoRequired } from './access-errors.ts'
import { createGithubClient } from './caller-client.ts'
import type { VisibleRepository } from './parse-access-response.ts'
import { createPermissionCache, type PermissionCache } from './permission-cache.ts'
import { createRejectedTokenLimiter } from './rejected-token-limiter.ts'
import { createRepositoryVisibility, type RepositoryVisibility } from './repository-visibility.ts'
import { type AccessLookup, createAccessSender } from './send-access-request.ts'
import { createTokenGuard, type TokenGuard } from './token-guard.ts'
import { createTokenStates, type TokenStates } from './token-states.ts'
import { createWriteProbe, type WriteProbe } from './write-probe.ts'

export type { VisibleRepository } from './parse-access-response.ts'

/** Who asks, for what. `clientAddress` is the connection's. */
export interface AccessRequest {
  token: string
  owner: string
  repo: string
  clientAddress: string
  requestId?: string
  /** How the caller waits where GitHub has to be asked. */
  waitForGithub?: WaitForGithub
}

export interface GithubAccess {
  /**
   * Returns the repository if GitHub lets this token read it, or write to it (docs/rules.md#permissions). Throws
   * AppError: `invalid_token`, `not_found`, `forbidden`, `sso_required`, `github_rate_limited`, `github_unavailable`,
   * `rate_limited`.
   */
  authorize(question: AccessRequest & { need: 'read' | 'write' }): Promise<VisibleRepository>
  /**
   * For a `pr_url` into another repository: its id if the token can see it, else null
   * (docs/rules.md#pull-request-links). Throws AppError if GitHub does not answer: `github_unavailable`,
   * `github_rate_limited`, `rate_limited`, `invalid_token`.
   */
  lookUp(question: AccessRequest): Promise<{ id: bigint } | null>
  /** An event said that permissions, visibility or names changed; `names` are all that it ever told, old and new. */
  forgetRepository(id: bigint, names?: readonly { owner: string; name: string }[]): void
  /** An installation of the App came, went or changed: whatever is known of this account's repositories goes. */
  forgetOwner(owner: string): void
  /** How many answers are cached, of each question. */
  cachedPermissions(): { sight: number; write: number }
}

export interface AccessLimits {
  /** How long one question to GitHub may take, and how long it may wait for its turn. */
  questionMs: number
  questionsAtOnce: number
  questionsWaiting: number
  refusedTokensPerMinute: number
  cachedAnswers: number
  rememberedTokens: number
  rememberedAddresses: number
}

const defaultLimits: AccessLimits = {
  questionMs: 5_000,
  questionsAtOnce: 50,
  questionsWaiting: 1_000,
  refusedTokensPerMinute: 20,
  cachedAnswers: 20_000,
  rememberedTokens: 20_000,
  rememberedAddresses: 10_000,
}

export interface AccessOptions {
  /** May have a path: Enterprise Server's. */
  apiUrl: string
  permissionCacheMs: number
  log: Log
  /** In ms since 1970. */
  now?: () => number
  limits?: Partial<AccessLimits>
  observe?: EmitEvent
}

interface Parts {
  tokens: TokenStates
  cache: PermissionCache
  sightings: RepositoryVisibility
  writeProbe: WriteProbe
}

/** Asks GitHub what a caller's token may do (docs/rules.md#permissions). Keeps tokens in memory only, while it asks. */
export function createGithubAccess(options: AccessOptions): GithubAccess {
  const { tokens, cache, sightings, writeProbe } = assemble(options)

  // A 401 wins over whatever else was answered while we waited.
  function refuseInvalid({ tokenKey }: AccessLookup): void {
    if (tokens.isRefused(tokenKey)) throw invalidToken()
  }

  function forgetting(forget: () => void): void {
    sightings.invalidate()
    writeProbe.supersede()
    forget()
  }

  return {
    async authorize(asked) {
      const question = questionOf(asked, tokens)
      const sight = await sightings.lookUp(question)
      refuseInvalid(question)
      if (sight.kind === 'invisible') throw notFound()
      if (sight.kind === 'sso_required') throw ssoRequired(sight.sso)
      if (asked.need === 'read' || sight.push === true) return sight.repository
      if (sight.push === null || !showsPermissionsWrong(asked.token)) throw forbidden()
      const mayWrite = await writeProbe.mayWrite(question, sight.repository)
      refuseInvalid(question)
      if (!mayWrite) throw forbidden()
      return sight.repository
    },
    async lookUp(asked) {
      if (!isRepositoryName(asked.owner, asked.repo)) return null
      const question = questionOf(asked, tokens)
      const sight = await sightings.lookUp(question)
      refuseInvalid(question)
      return sight.kind === 'seen' ? { id: sight.repository.id } : null
    },
    forgetRepository(id, names = []) {
      const nameKeys = names.map(({ owner, name }) => repositoryNameKey(owner, name))
      forgetting(() => cache.forgetRepository(id, nameKeys))
    },
    forgetOwner: (owner) => forgetting(() => cache.forgetOwner(owner)),
    cachedPermissions: cache.size,
  }
}

function assemble(options: AccessOptions): Parts {
  const { apiUrl, permissionCacheMs, log, now = Date.now, observe = ignoreEvents } = options
  const limits = { ...defaultLimits, ...options.limits }
  const client = createGithubClient({ apiUrl, timeLimitMs: limits.questionMs, observe })
  const cache = createPermissionCache({ permissionCacheMs, entries: limits.cachedAnswers, now, observe })
  const tokens = createTokenStates({ tokens: limits.rememberedTokens, now })
  const refusals = createRejectedTokenLimiter({
    perMinute: limits.refusedTokensPerMinute,
    addresses: limits.rememberedAddresses,
    now,
  })
  const admission: TokenGuard = createTokenGuard({
    tokens,
    refusals,
    onRefused(tokenKey) {
      sightings.invalidate(tokenKey)
      writeProbe.supersede(tokenKey)
      cache.forgetToken(tokenKey)
    },
  })
  const limit = createFairLimit({
    places: limits.questionsAtOnce,
    waiters: limits.questionsWaiting,
    waitMs: limits.questionMs,
    refusal: () => githubUnavailable('too many questions to GitHub at once'),
  })
  const questioner = createAccessSender({ admission, limit, tokens, log, now })
  const sightings = createRepositoryVisibility({ client, cache, admission, questioner, tokens, log, now })
  const writeProbe = createWriteProbe({ client, cache, admission, questioner, now })
  return { tokens, cache, sightings, writeProbe }
}

/** Throws AppError `invalid_token`, then `not_found` for an impossible name (docs/rules.md#order-of-checks). */
function questionOf(asked: AccessRequest, tokens: TokenStates): AccessLookup {
  const { token, owner, repo, clientAddress, requestId, waitForGithub = (ask) => ask() } = asked
  if (!canBeToken(token)) throw invalidToken()
  const tokenKey = tokens.keyOf(token)
  if (tokens.isRefused(tokenKey)) throw invalidToken()
  if (!isRepositoryName(owner, repo)) throw notFound()
  return { token, tokenKey, owner, repo, address: clientAddress, requestId, waitForGithub }
}
