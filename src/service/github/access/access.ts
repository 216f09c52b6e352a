import { notFound } from '../../../core/errors.ts'
import { isRepositoryName, repositoryNameKey } from '../../../core/repository-names.ts'
import { canBeToken, needsWriteProbe } from '../../../core/user-tokens.ts'
import { createFairLimit } from '../../lib/fair-limit.ts'
import type { Log } from '../../lib/log.ts'
import { type EmitEvent, ignoreEvents } from '../../lib/service-events.ts'
import type { WaitForGithub } from '../../lib/wait-for-github.ts'
import { createRateLimits } from '../rate-limits.ts'
import { forbidden, githubUnavailable, invalidToken, ssoRequired } from './access-errors.ts'
import { type CheckedRequest, createAccessSender } from './access-sender.ts'
import { type AccountsOfTokens, createAccountsOfTokens } from './account-of-token.ts'
import { createGithubClient } from './caller-client.ts'
import { createLookUp } from './look-up.ts'
import type { VisibleRepository } from './parse-access-response.ts'
import { createPullRequestRight, type MayReadPullRequests, type Right, rightMs } from './pull-request-right.ts'
import { createRepositoryVisibility, type Visibility, visibilityMs } from './repository-visibility.ts'
import { createTokenGuard } from './token-guard.ts'
import { createTokenStates, type TokenStates } from './token-states.ts'
import { createWriteProbe, writeMs } from './write-probe.ts'

export type { VisibleRepository } from './parse-access-response.ts'

export interface AccessRequest {
  token: string
  owner: string
  repo: string
  /** The address of the client. */
  clientAddress: string
  requestId?: string
  /** Wraps the wait for GitHub. */
  waitForGithub?: WaitForGithub
}

export interface GithubAccess {
  /**
   * Returns the repository if GitHub lets this token read it, or write to it (docs/rules.md#permissions). Throws
   * AppError: `invalid_token`, `not_found`, `forbidden`, `sso_required`, `github_rate_limited`, `github_unavailable`,
   * `rate_limited`.
   */
  authorize(request: AccessRequest & { need: 'read' | 'write' }): Promise<VisibleRepository>
  /**
   * Returns the id of the repository that a `pr_url` names, or null if the token can't see it
   * (docs/rules.md#pull-request-links). Throws AppError if GitHub gives no result: `github_unavailable`,
   * `github_rate_limited`, `rate_limited`, `invalid_token`.
   */
  lookUp(request: AccessRequest): Promise<{ id: bigint } | null>
  accounts: AccountsOfTokens
  /**
   * Whether the token may read the pull requests of a repository that `authorize` returned for it. A promise only if GitHub
   * has to be asked; it never rejects. Without a usable answer it is a no.
   */
  mayReadPullRequests: MayReadPullRequests
  /** For an event that changes permissions, visibility or names. `names` are all names in the event, old and new. */
  forgetRepository(id: bigint, names?: readonly { owner: string; name: string }[]): void
  /** For an event that changes the App's installation on this account: forgets all of its repositories. */
  forgetOwner(owner: string): void
  /** How many results are cached. The keys are labels of a metric. */
  cachedPermissions(): { sight: number; write: number }
}

export interface AccessLimits {
  /** How long one request to GitHub may take, and how long it may wait for a slot, in ms. */
  requestMs: number
  concurrentRequests: number
  /** The same for requests about the right to see pull requests. */
  concurrentRights: number
  /** The same for requests about the accounts of accepted tokens. */
  concurrentAccounts: number
  waitingRequests: number
  rejectedTokensPerMinute: number
  /** The slot of unknown tokens, once GitHub has rejected that many of an address; times in ms. */
  unknownTokenSlot: { everyMs: number; waiting: number; waitMs: number }
  cachedResults: number
  trackedTokens: number
  trackedAddresses: number
}

const defaultLimits: AccessLimits = {
  requestMs: 5_000,
  concurrentRequests: 50,
  concurrentRights: 20,
  concurrentAccounts: 10,
  waitingRequests: 1_000,
  rejectedTokensPerMinute: 20,
  unknownTokenSlot: { everyMs: 500, waiting: 100, waitMs: 30_000 },
  cachedResults: 20_000,
  trackedTokens: 20_000,
  trackedAddresses: 10_000,
}

export interface AccessOptions {
  /** May have a path, as on GitHub Enterprise Server. */
  apiUrl: string
  permissionCacheMs: number
  /** Whether GitHub is asked whose account an accepted token belongs to. */
  authorLogin: boolean
  log: Log
  /** In ms since 1970. */
  now?: () => number
  limits?: Partial<AccessLimits>
  emit?: EmitEvent
}

/**
 * Asks GitHub what a caller's token may do (docs/rules.md#permissions). Holds a token in memory only, and only during a
 * request.
 */
export function createGithubAccess(options: AccessOptions): GithubAccess {
  const { tokens, lookUps, visibilityOf, mayWrite, mayReadPullRequests, accounts } = createParts(options)

  // GitHub may have rejected the token while this request waited. A 401 overrides any other result.
  function assertNotRejected({ tokenKey }: CheckedRequest): void {
    if (tokens.isRejected(tokenKey)) throw invalidToken()
  }

  return {
    async authorize(request) {
      const checked = check(request, tokens)
      const seen = await visibilityOf(checked)
      assertNotRejected(checked)
      if (seen.kind === 'invisible') throw notFound()
      if (seen.kind === 'sso_required') throw ssoRequired(seen.sso)
      if (request.need === 'read' || seen.push === true) return seen.repository
      if (seen.push === null || !needsWriteProbe(request.token)) throw forbidden()
      const isWriter = await mayWrite(checked, seen.repository)
      assertNotRejected(checked)
      if (!isWriter) throw forbidden()
      return seen.repository
    },
    async lookUp(request) {
      if (!isRepositoryName(request.owner, request.repo)) return null
      const checked = check(request, tokens)
      const seen = await visibilityOf(checked)
      assertNotRejected(checked)
      return seen.kind === 'visible' ? { id: seen.repository.id } : null
    },
    accounts,
    mayReadPullRequests,
    forgetRepository(id, names = []) {
      const nameKeys = names.map(({ owner, name }) => repositoryNameKey(owner, name))
      for (const lookUp of Object.values(lookUps)) lookUp.forgetRepository(id, nameKeys)
    },
    forgetOwner(owner) {
      for (const lookUp of Object.values(lookUps)) lookUp.forgetOwner(owner)
    },
    cachedPermissions: () => ({ sight: lookUps.visibility.size(), write: lookUps.write.size() }),
  }
}

function createParts(options: AccessOptions) {
  const { apiUrl, permissionCacheMs, log, now = Date.now, emit = ignoreEvents } = options
  const limits = { ...defaultLimits, ...options.limits }
  const client = createGithubClient({ apiUrl, timeLimitMs: limits.requestMs, emit })
  const kept = { entries: limits.cachedResults, now }
  const noteSought = (question: 'sight' | 'write') => (isKnown: boolean) =>
    emit({ kind: 'permission', question, isKnown })
  const lookUps = {
    visibility: createLookUp<Visibility>({
      ...kept,
      freshMs: visibilityMs(permissionCacheMs),
      onSought: noteSought('sight'),
    }),
    write: createLookUp<boolean>({ ...kept, freshMs: writeMs, onSought: noteSought('write') }),
    pullRequests: createLookUp<Right>({ ...kept, freshMs: rightMs }),
  }
  const tokens = createTokenStates({ tokens: limits.trackedTokens, now })
  const rateLimits = createRateLimits({ entries: limits.trackedTokens, now })
  const guard = createTokenGuard({
    ...{ tokens, rateLimits },
    rejectedPerMinute: limits.rejectedTokensPerMinute,
    networks: limits.trackedAddresses,
    slot: limits.unknownTokenSlot,
    now,
    onRejected(tokenKey) {
      for (const lookUp of Object.values(lookUps)) lookUp.forgetToken(tokenKey)
    },
  })
  const limitOf = (slots: number) =>
    createFairLimit({
      slots,
      waiting: limits.waitingRequests,
      waitMs: limits.requestMs,
      refusal: () => githubUnavailable('too many concurrent requests to GitHub'),
    })
  const limit = limitOf(limits.concurrentRequests)
  const sender = createAccessSender({ guard, limit, rateLimits, log, now })
  const visibilityOf = createRepositoryVisibility({
    ...{ client, guard, sender, tokens, log, now },
    lookUp: lookUps.visibility,
  })
  const mayWrite = createWriteProbe({ client, lookUp: lookUps.write, guard, sender, now })
  const mayReadPullRequests = createPullRequestRight({
    ...{ client, tokens, rateLimits, now },
    lookUp: lookUps.pullRequests,
    limit: limitOf(limits.concurrentRights),
  })
  const accounts = createAccountsOfTokens({
    ...{ client, guard, sender, tokens, now },
    limit: limitOf(limits.concurrentAccounts),
    isOn: options.authorLogin,
    entries: limits.trackedTokens,
  })
  return { tokens, lookUps, visibilityOf, mayWrite, mayReadPullRequests, accounts }
}

/** Throws AppError `invalid_token`, then `not_found` for an impossible name (docs/rules.md#order-of-checks). */
function check(request: AccessRequest, tokens: TokenStates): CheckedRequest {
  const { token, owner, repo, clientAddress, requestId, waitForGithub = (wait) => wait() } = request
  if (!canBeToken(token)) throw invalidToken()
  const tokenKey = tokens.keyOf(token)
  if (tokens.isRejected(tokenKey)) throw invalidToken()
  if (!isRepositoryName(owner, repo)) throw notFound()
  return { token, tokenKey, owner, repo, address: clientAddress, requestId, waitForGithub }
}
