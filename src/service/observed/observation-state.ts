import type { ObservationState, PartlyListedPull } from '../../core/schemas/observation.ts'

/** How old the last complete reading by callers may be, in ms. */
const callersMs = 5 * 60_000
/** How long files may wait to be read by the App, in ms. */
const waitingMs = 60_000

/** The facts that decide the observation state of a repository. */
export interface ReadingFacts {
  /** Whether the settings and the operator let pull requests be observed here. */
  isObserved: boolean
  /** Whether the caller may read pull requests. */
  mayRead: boolean
  /** Whether the App reads the repository. Otherwise callers do. */
  byApp: boolean
  /** When the last complete reading began; null before the first one. */
  completedAt: Date | null
  /** When the last reading failed; null if it succeeded. */
  failedAt: Date | null
  /** How many open pull requests have files that are not read. */
  unread: number
  /** How many pushed branches have files that are not read. */
  unreadBranches: number
  /** Since when the oldest of them waits; null if there is none. */
  unreadSince: Date | null
  /** The open pull requests of which GitHub does not list all files. */
  partlyListed: readonly PartlyListedPull[]
}

export interface ReadingTimes {
  now: Date
  /** How often the App lists the pull requests of a repository. */
  reconcileIntervalMs: number
}

export const observationOff: ObservationState = { pull_requests: 'off', as_of: null, unread: 0 }
export const observationUnavailable: ObservationState = { pull_requests: 'unavailable', as_of: null, unread: 0 }

/** The observation state of a repository (docs/rules.md#observed-state). */
export function observationStateOf(facts: ReadingFacts, times: ReadingTimes): ObservationState {
  if (!facts.isObserved) return observationOff
  if (!facts.mayRead) return observationUnavailable
  const { completedAt } = facts
  const unknown = unknownOf(facts)
  if (completedAt === null) return { pull_requests: 'reading', as_of: null, ...unknown }
  const isCurrent = facts.failedAt === null && isFresh(facts, completedAt, times)
  return { pull_requests: isCurrent ? 'current' : 'stale', as_of: completedAt, ...unknown }
}

function unknownOf({ unread, unreadBranches, partlyListed }: ReadingFacts) {
  return {
    unread: unread + unreadBranches,
    ...(unreadBranches > 0 ? { unread_branches: unreadBranches } : {}),
    ...(partlyListed.length > 0 ? { partly_listed: partlyListed } : {}),
  }
}

function isFresh(
  { byApp, unreadSince }: ReadingFacts,
  completedAt: Date,
  { now, reconcileIntervalMs }: ReadingTimes,
): boolean {
  const age = now.getTime() - completedAt.getTime()
  if (!byApp) return age < callersMs
  const isWaitingLong = unreadSince !== null && now.getTime() - unreadSince.getTime() > waitingMs
  return age < 2 * reconcileIntervalMs && !isWaitingLong
}
