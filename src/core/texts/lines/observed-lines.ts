import { mostFilesCompared } from '../../changes/limits.ts'
import type { Findings, PartlyListed } from '../../rules/findings.ts'
import { ago } from '../age.ts'
import { joinFirst, joinWords } from '../join-words.ts'
import { quoted } from '../quote.ts'
import { unreadWork } from '../unread-work.ts'

type Observed = Pick<Findings, 'observed' | 'putAside' | 'partlyListed' | 'now'>

/** Above this age, the text gives the age, in milliseconds. */
const worthTellingMs = 5 * 60_000
/** The limit of branches and pull requests that are named, and of people who put pull requests aside. */
const mostNames = 3

/** Whether all open pull requests and pushed branches are read, or none are observed (docs/rules.md#observed-state). */
export function isEverythingRead({ pull_requests, unread }: Findings['observed']): boolean {
  return (pull_requests === 'off' || pull_requests === 'current') && unread === 0
}

/** What is not known of the open pull requests, and how old the rest is. */
export function observedLines({ observed, putAside, partlyListed, now }: Observed): string[] {
  return [
    ...stateLines(observed, now),
    ...unreadLines(observed),
    ...partlyListedLines(partlyListed),
    ...putAsideLines(putAside),
  ]
}

function stateLines({ pull_requests, as_of }: Findings['observed'], now: Date): string[] {
  switch (pull_requests) {
    case 'reading':
      return ['The open pull requests are still being read: more of them may meet this.']
    case 'unavailable':
      return ['Open pull requests were not compared: this token may not read them.']
    case 'stale':
      return [`Open pull requests are known as of ${as_of ? ago(as_of, now) : 'an earlier day'}, and not since.`]
    case 'current': {
      const isOld = as_of !== null && now.getTime() - as_of.getTime() > worthTellingMs
      return isOld ? [`All open pull requests were last listed ${ago(as_of, now)}.`] : []
    }
    default:
      return []
  }
}

function unreadLines(observed: Findings['observed']): string[] {
  return observed.unread === 0 ? [] : [`The files of ${unreadWork(observed)} are not read yet.`]
}

/** Whether GitHub lists all files that are changed. */
export function isWhollyListed({ own, pulls, branches }: PartlyListed): boolean {
  return own === 0 && pulls.length === 0 && branches.length === 0
}

function partlyListedLines({ own, pulls, branches }: PartlyListed): string[] {
  return [
    ...(own > 0
      ? [
          `GitHub does not list ${countOf(own)} of your changed files: ${own === 1 ? 'it was' : 'they were'} not compared.`,
        ]
      : []),
    ...(pulls.length > 0
      ? [
          `GitHub does not list all files of ${numbersOf(pulls)}: ${pulls.length === 1 ? 'it changes' : 'they change'} more.`,
        ]
      : []),
    ...(branches.length > 0
      ? [
          `GitHub lists only ${mostFilesCompared} files of ${namesOf(branches)}: ${branches.length === 1 ? 'it' : 'they'} may change more.`,
        ]
      : []),
  ]
}

/** `#12`, `#12 and #15`. */
function numbersOf(pulls: readonly number[]): string {
  return joinFirst(
    pulls.map((number) => `#${number}`),
    mostNames,
  )
}

/** `pushed branch “a”`, `pushed branches “a” and “b”`. */
function namesOf(branches: readonly string[]): string {
  const names = branches.map((name) => quoted(name))
  return `pushed ${branches.length === 1 ? 'branch' : 'branches'} ${joinFirst(names, mostNames)}`
}

function countOf(files: number): string {
  return files.toLocaleString('en')
}

function putAsideLines(putAside: Findings['putAside']): string[] {
  if (putAside === null) return []
  const { count, by } = putAside
  const known = by.filter((name) => name !== null)
  const names = known.slice(0, mostNames).map((name) => quoted(name))
  const who = by.length > names.length ? `${names.join(', ')} and others` : joinWords(names)
  const what = `${count} open pull ${count === 1 ? 'request was' : 'requests were'} put aside`
  return [names.length === 0 ? `${what}.` : `${what} by ${who}.`]
}

/** The advice where not everything is known. */
export function unknownAction({ observed, partlyListed }: Pick<Findings, 'observed' | 'partlyListed'>): string {
  if (observed.pull_requests === 'reading' || observed.unread > 0)
    return `Nothing that is known stands in the way, but not all ${unreadKinds(observed)} are read: check again in a minute.`
  if (!isWhollyListed(partlyListed) && observed.pull_requests === 'current')
    return `Nothing that is known stands in the way, but ${partlyKnown(partlyListed)}.`
  return 'Nothing that is known stands in the way, but look at the open pull requests yourself: they are not all known here.'
}

function partlyKnown({ own, pulls, branches }: PartlyListed): string {
  const others = [
    ...(pulls.length > 0 ? [numbersOf(pulls)] : []),
    ...(branches.length > 0 ? [namesOf(branches)] : []),
  ].join(' and of ')
  const look = `look at ${pulls.length + branches.length === 1 ? 'it' : 'them'} yourself`
  return [
    ...(own > 0 ? ['not all of your changed files were compared: name the others, and check again'] : []),
    ...(others === '' ? [] : [`not all files of ${others} are known: ${look}`]),
  ].join('; and ')
}

function unreadKinds({ pull_requests, unread, unread_branches = 0 }: Findings['observed']): string {
  if (unread_branches === 0) return 'open pull requests'
  return pull_requests === 'reading' || unread > unread_branches
    ? 'open pull requests and pushed branches'
    : 'pushed branches'
}
