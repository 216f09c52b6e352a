import type { CollidingPull, FoundPulls } from './colliding-pulls.ts'
import type { ReportNotable } from './report-notables.ts'

/** Why the pull requests of a head were not compared. */
export type NotCompared =
  /** It conflicts with its base branch already. */
  | 'dirty'
  /** GitHub did not list its files. */
  | 'no files'
  /** Somebody put it aside. */
  | 'put aside'

/** A pull request that collided and was merged since. */
export interface MergedPull {
  number: number
  login: string
}

/** The facts of a report on the pull requests of one head. */
export interface ReportFacts extends FoundPulls {
  /** Whether the head is of a stranger. */
  isByStranger?: boolean
  /** The base branch. */
  base: string
  notCompared: NotCompared | null
  /** The notables that it meets, the gravest first. */
  notables: readonly ReportNotable[]
  /** Those that changed the same lines and were merged since the last push, the latest first. */
  merged: readonly MergedPull[]
  /** How many other open pull requests are not read yet. */
  unread: number
  /** How many other open pull requests change more files than GitHub lists. */
  partlyListed: number
  /** Whether this head changes more files than GitHub lists. */
  isPartlyListed: boolean
  /** How many changed files of this head are never compared, such as lock files. */
  ignoredFiles: number
  /** The page of the repository; null if the service does not know its own address. */
  pageUrl: string | null
}

/**
 * The colliding pull requests that decide the conclusion: those of members, and for a stranger's head without any those of other
 * strangers (docs/rules.md#strangers).
 */
export function countedPulls({ colliding, isByStranger }: ReportFacts): readonly CollidingPull[] {
  const ofMembers = colliding.filter(({ byStranger }) => !byStranger)
  return isByStranger && ofMembers.length === 0 ? colliding : ofMembers
}

export type Conclusion = 'success' | 'neutral'

/** Everything was compared, and no notable is met. */
export const nothingLeftOut = {
  unread: 0,
  partlyListed: 0,
  isPartlyListed: false,
  ignoredFiles: 0,
  notables: [],
} as const
