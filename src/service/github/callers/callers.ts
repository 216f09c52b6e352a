import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from '../../../core/schemas/account.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../lib/log.ts'
import type { EmitEvent } from '../../lib/service-events.ts'
import type { GithubAccess } from '../access/access.ts'
import { createOctokit, sendRequest } from '../github-request.ts'
import { createTokenHash } from '../hash-token.ts'
import { createRateLimits } from '../rate-limits.ts'
import { createReadingLimit } from './bounded-sender.ts'
import { createCallBudget, forgetCalls } from './call-budget-store.ts'
import { forgetRepositories } from './forget-repositories-store.ts'
import { createCallerReadings } from './readings.ts'
import { type CallerTimes, createViewers, type Viewers } from './viewer.ts'

export interface Callers {
  /** Called when GitHub has accepted the token. */
  onAccepted(token: string): void
  viewerOf: Viewers['viewerOf']
  /** The account of the token; null where GitHub does not say it within 2.5 s. */
  accountOf(token: string): Promise<Account | null>
  /** Forgets repositories that nobody asked about. Returns what the job did. */
  forget(): Promise<{ forgotten: number }>
  /** Resolves once no reading runs. */
  idle(): Promise<void>
  /** Ends the readings. */
  stop(): Promise<void>
}

export interface CallersOptions {
  db: Database
  access: Pick<GithubAccess, 'mayReadPullRequests' | 'accounts'>
  apiUrl: string
  serverUrl: string
  reconcileIntervalMs: number
  /** Whether callers' tokens read repositories that the App does not read. */
  observeWithCallers: boolean
  /** How many such repositories are kept. */
  maxObserved: number
  /** If not the default. */
  times?: Partial<CallerTimes>
  log: Log
  now(): Date
  emit?: EmitEvent
}

/** How long one request to GitHub may take, in ms. */
const requestMs = 5_000
/** How long a caller waits for its account, in ms. */
const accountWaitMs = 2_500
/** How many tokens are remembered. */
const tokens = 20_000

/** Who callers are, and the readings with their tokens. A token is kept only while it is used. */
export function createCallers(options: CallersOptions): Callers {
  const { db, apiUrl, now, emit, log, serverUrl } = options
  const keyOf = createTokenHash()
  const octokit = createOctokit({ apiUrl, timeLimitMs: requestMs, ...(emit ? { emit } : {}) }, 'caller')
  const rateLimits = createRateLimits({ entries: tokens, now: () => now().getTime() })
  const { accounts } = options.access
  const readings = createCallerReadings({
    ...{ db, rateLimits, accounts, keyOf, serverUrl, tokens, log, now },
    send: (request) => sendRequest(octokit, request),
    budget: createCallBudget({ db, tokens, now }),
    limit: createReadingLimit(),
  })
  const { viewerOf } = createViewers({ ...options, accounts, readings })
  return {
    onAccepted: (token) => void accounts.loadAccount(token),
    viewerOf,
    async accountOf(token) {
      await Promise.race([accounts.loadAccount(token), sleep(accountWaitMs, undefined, { ref: false })])
      return accounts.accountOf(token)
    },
    async forget() {
      await forgetCalls(db, now())
      return { forgotten: await forgetRepositories(db, { now: now(), keep: options.maxObserved }) }
    },
    idle: readings.idle,
    stop: readings.stop,
  }
}
