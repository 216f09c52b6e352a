import type { Severity } from '../../enums.ts'
import { sortedNumbers } from '../../lib/sorted-numbers.ts'
import { weighted } from '../severity.ts'

/** Numbers of issues, each in one of the two lists, sorted (docs/rules.md#same-issue). */
export interface NamedIssues {
  /** A person, or the text of its pull request, says that the work closes them. */
  stated: readonly number[]
  /** Only the name of its branch says so. */
  guessed: readonly number[]
}

export const noIssues: NamedIssues = { stated: [], guessed: [] }

/** The issues of work as it is stored, and those of the pull request that it covers. */
export function namedIssues(
  { issues, issues_from }: { issues: readonly number[]; issues_from: string | null | undefined },
  ofPullRequest: readonly number[] = [],
): NamedIssues {
  const own = issues_from === 'branch' ? { stated: [], guessed: issues } : { stated: issues, guessed: [] }
  return withStated(own, ofPullRequest)
}

/** The same with more stated issues. An issue that is stated is not guessed any more. */
export function withStated({ stated, guessed }: NamedIssues, more: readonly number[]): NamedIssues {
  const said = sortedNumbers(stated, more)
  return { stated: said, guessed: sortedNumbers(guessed).filter((number) => !said.includes(number)) }
}

export function numbersOf({ stated, guessed }: NamedIssues): number[] {
  return sortedNumbers(stated, guessed)
}

/** The issues that both name; null if there are none. `guessed` has those that both know from the names of their branches alone. */
export function sharedIssues(ours: NamedIssues, theirs: NamedIssues): NamedIssues | null {
  const isTheirs = (number: number) => theirs.stated.includes(number) || theirs.guessed.includes(number)
  const both = sortedNumbers(ours.stated.filter(isTheirs), ours.guessed.filter(isTheirs))
  if (both.length === 0) return null
  const isGuess = (number: number) => ours.guessed.includes(number) && theirs.guessed.includes(number)
  return { stated: both.filter((number) => !isGuess(number)), guessed: both.filter(isGuess) }
}

/** An issue that more other works of members name is an epic. */
export const mostWorksOfIssue = 5

/** The issues that are epics, by what each other work shares with the proposal. Strangers never count for that. */
export function epicsAmong(works: readonly { shared: NamedIssues; byStranger: boolean }[]): ReadonlySet<number> {
  const counts = new Map<number, number>()
  for (const { shared, byStranger } of works) {
    if (byStranger) continue
    for (const number of numbersOf(shared)) counts.set(number, (counts.get(number) ?? 0) + 1)
  }
  return new Set([...counts].flatMap(([number, count]) => (count > mostWorksOfIssue ? number : [])))
}

/** What makes a shared issue count less or more. */
export interface IssueWeight {
  /** Whether one of the two is of an ignored author. */
  isOfIgnoredAuthor: boolean
  /** Whether one of the two is of a stranger, or stale. */
  isMinor: boolean
  /** Whether the other work is `blocking`, or its risk is grave. */
  isGrave: boolean
}

/** The issues that two works share, and how much that counts. */
export interface IssueOverlap {
  /** Those that count; all of them where none does. Sorted. */
  numbers: readonly number[]
  /** Null: nearby, and no overlap. */
  severity: Severity | null
}

/**
 * Two works for the same issue are an overlap whatever their scopes: of `medium` severity, of `low` where it is with a stranger or
 * stale, or where both know it from names alone. An epic and an ignored author make it nearby.
 */
export function issueOverlap(
  shared: NamedIssues,
  epics: ReadonlySet<number>,
  { isOfIgnoredAuthor, isMinor, isGrave }: IssueWeight,
): IssueOverlap {
  const counted = (numbers: readonly number[]) => numbers.filter((number) => !epics.has(number))
  const [stated, guessed] = [counted(shared.stated), counted(shared.guessed)]
  if (isOfIgnoredAuthor || stated.length + guessed.length === 0) return { numbers: numbersOf(shared), severity: null }
  const plain = isMinor || stated.length === 0 ? 'low' : 'medium'
  return { numbers: sortedNumbers(stated, guessed), severity: weighted(plain, isGrave) }
}
