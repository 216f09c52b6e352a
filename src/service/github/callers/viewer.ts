import type { ObservationState } from '../../../core/schemas/observation.ts'
import type { Viewer } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import type { WaitForGithub } from '../../lib/wait-for-github.ts'
import { countUnreadBranches } from '../../observed/branches/pushed-branches.sql.ts'
import { observesBranches, observesPullRequests } from '../../observed/is-observed.ts'
import { observationOff, observationStateOf } from '../../observed/observation-state.ts'
import type { Repository } from '../../records/repository/repository.ts'
import type { Settings } from '../../records/settings/schema.ts'
import type { GithubAccess } from '../access/access.ts'
import type { AccountsOfTokens } from '../access/account-of-token.ts'
import { findObservation, type Observation, saveAsked } from './observation.sql.ts'
import type { CallerReadings } from './readings.ts'

export interface CallerTimes {
  /** How long a request waits at most, for all that it asks here together, in ms. */
  waitMs: number
  /** How long a token is used after its request, in ms. */
  tokenMs: number
}

const defaultTimes: CallerTimes = { waitMs: 2_500, tokenMs: 15_000 }

/** How often the time of the last question is saved, in ms. */
const askedEveryMs = 60_000

export interface ViewingCaller {
  token: string
  waitForGithub: WaitForGithub
  /** The client's limit on waiting, in ms. Absent: that of the service. */
  waitMs?: number | undefined
}

export interface Viewers {
  viewerOf(repository: Repository, caller: ViewingCaller, settings: Settings): Viewer
}

export interface ViewerDeps {
  db: Database
  access: Pick<GithubAccess, 'mayReadPullRequests'>
  accounts: Pick<AccountsOfTokens, 'accountOf'>
  readings: Pick<CallerReadings, 'read'>
  observeWithCallers: boolean
  reconcileIntervalMs: number
  times?: Partial<CallerTimes>
  now(): Date
}

const notRead: ObservationState = { ...observationOff, pull_requests: 'reading' }

/** Creates the viewers of requests. They never reject because of GitHub, and wait for it at most 2.5 s. */
export function createViewers(deps: ViewerDeps): Viewers {
  const { db, access, accounts, readings, observeWithCallers, reconcileIntervalMs, now } = deps
  const times = { ...defaultTimes, ...deps.times }

  function viewerOf(repository: Repository, caller: ViewingCaller, settings: Settings): Viewer {
    const { token } = caller
    const isObserved = observesPullRequests(settings)
    const wait = createWait(caller.waitForGithub, Math.min(caller.waitMs ?? times.waitMs, times.waitMs))
    const began = performance.now()

    /** Whether the App or callers read this repository. */
    const isReadBy = ({ byApp }: Observation) => byApp || observeWithCallers

    /** Undefined if GitHub has not answered yet. */
    async function mayRead(): Promise<boolean | undefined> {
      const right = access.mayReadPullRequests(token, repository)
      return typeof right === 'boolean' ? right : await wait(right)
    }

    /** Saves that somebody asked, so that the repository is kept. */
    async function noteAsked({ askedAt }: Observation): Promise<void> {
      const at = now()
      if (askedAt === null || at.getTime() - askedAt.getTime() >= askedEveryMs) await saveAsked(db, repository.id, at)
    }

    /** Starts or joins a reading, if one is due. */
    async function wake(
      observation: Observation,
      namesFiles: boolean,
    ): Promise<{ reading: Promise<void> | undefined }> {
      await noteAsked(observation)
      const tokenMs = Math.max(0, Math.ceil(began + times.tokenMs - performance.now()))
      return { reading: readings.read({ token, repository, settings, namesFiles, tokenMs }, observation) }
    }

    /** Waits for the first reading of the repository, and returns what is known then. */
    async function wakeAndWait(observation: Observation, namesFiles: boolean): Promise<Observation> {
      const { reading } = await wake(observation, namesFiles)
      if (observation.completedAt !== null || reading === undefined) return observation
      await wait(reading)
      return await findObservation(db, repository.id, now())
    }

    /** Only the App reads branches. */
    async function unreadBranches({ byApp }: Observation): Promise<number> {
      if (!byApp || !observesBranches(settings)) return 0
      return countUnreadBranches(db.prisma, repository.id, new Date(now().getTime() - settings.branch_ttl_ms))
    }

    async function observationState(namesFiles: boolean, reads: boolean): Promise<ObservationState> {
      if (!isObserved) return observationOff
      const before = await findObservation(db, repository.id, now())
      if (!isReadBy(before)) return observationOff
      const right = await mayRead()
      if (right === undefined) {
        if (reads) wakeOnceAllowed(before, namesFiles)
        return notRead
      }
      const found = right && reads && !before.byApp ? await wakeAndWait(before, namesFiles) : before
      const facts = { ...found, unreadBranches: await unreadBranches(found), isObserved, mayRead: right }
      const state = observationStateOf(facts, { now: now(), reconcileIntervalMs })
      const isEmpty = right && found.completedAt !== null && !found.hasOpen
      return { ...state, parent: isEmpty ? (repository.parent ?? null) : null }
    }

    /** The caller does not wait for the answer about its right. The next caller benefits. */
    function wakeOnceAllowed(observation: Observation, namesFiles: boolean): void {
      if (observation.byApp) return
      const allowed = Promise.resolve(access.mayReadPullRequests(token, repository))
      void allowed.then((right) => (right ? wake(observation, namesFiles) : undefined)).catch(() => {})
    }

    return {
      account: () => accounts.accountOf(token),
      async mayReadPullRequests() {
        if (!isObserved) return false
        if (!observeWithCallers && !isReadBy(await findObservation(db, repository.id, now()))) return false
        return (await mayRead()) === true
      },
      observationState: ({ namesFiles = false, reads = true } = {}) => observationState(namesFiles, reads),
    }
  }

  return { viewerOf }
}

/** Waits for at most `ms`, for all waits together. Undefined if the time is over. */
function createWait(waitForGithub: WaitForGithub, ms: number) {
  let until: number | undefined
  return async <Result>(promise: Promise<Result>): Promise<Result | undefined> => {
    until ??= performance.now() + ms
    const left = until - performance.now()
    return left > 0 ? await waitForGithub(() => within(promise, left)) : undefined
  }
}

async function within<Result>(promise: Promise<Result>, ms: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined)
  })
  return await Promise.race([promise, over]).finally(() => clearTimeout(timer))
}
