import { sortedNumbers } from '../../lib/sorted-numbers.ts'
import type { FileOverlap } from '../../rules/changed/compare-changes.ts'
import type { Findings, NearbyWork } from '../../rules/findings.ts'
import { firstOfEachAuthor } from '../described.ts'
import { issueList } from '../issue-list.ts'
import { joinWords } from '../join-words.ts'
import { type Message, message } from '../message.ts'
import { quoted } from '../quote.ts'
import { nameOf } from '../work-name.ts'
import { fileName, shownRange, theirPlace } from './file-words.ts'

/** The limit of activities that are named. */
const mostNamed = 3

/** The lines of `reason` about work that is near and no overlap. */
export function nearbyLines(nearby: readonly NearbyWork[]): Message[] {
  const covered = nearby.filter(isInPaths)
  const others = nearby.filter((one) => one.changes !== null && !isInPaths(one))
  const byIssue = nearby.filter(({ changes }) => changes === null)
  const issues = sortedNumbers(byIssue.flatMap((one) => one.issues))
  return [
    ...listOf('Others change files in these paths', covered, coveredWords),
    ...listOf('Near, and no overlap', others, nearbyWords),
    ...listOf(`For the same ${issueList(issues)}, and no overlap`, byIssue, whoOf),
  ]
}

/** Whether others change files that a glob of the proposal covers. */
export function coversChanges({ nearby }: Pick<Findings, 'nearby'>): boolean {
  return nearby.some(isInPaths)
}

/** Whether the proposal has to name its files, since members change some of those that it covers (docs/rules.md#nearby). */
export function hasToNameFiles({ nearby }: Pick<Findings, 'nearby'>): boolean {
  return nearby.some((one) => isInPaths(one) && !one.byStranger)
}

function isInPaths({ changes, isOfIgnoredAuthor }: NearbyWork): boolean {
  return !isOfIgnoredAuthor && changes !== null && changes.files.some(isCovered)
}

function isCovered({ proximity }: FileOverlap): boolean {
  return proximity === 'covered'
}

/** One line that names the first of these works, each stranger once. No line without works. */
function listOf(heading: string, all: readonly NearbyWork[], wordsOf: (one: NearbyWork) => string): Message[] {
  if (all.length === 0) return []
  const each = [
    ...all.filter(({ byStranger }) => !byStranger).map((first) => ({ first, more: 0 })),
    ...firstOfEachAuthor(all.filter(({ byStranger }) => byStranger)),
  ]
  const shown = each.slice(0, mostNamed)
  const named = shown.flatMap(({ first, more }) => [
    wordsOf(first),
    ...(more > 0 ? [`${more} more of ${quoted(first.activity.actor)}`] : []),
  ])
  const others = each.slice(mostNamed).reduce((sum, { more }) => sum + 1 + more, 0)
  const words = joinWords(others > 0 ? [...named, `${others} more`] : named)
  const ids = shown.map(({ first }) => first.activity.id)
  return [message('nearby', `${heading}: ${words}.`, ids)]
}

function whoOf({ activity }: NearbyWork): string {
  return `${nameOf(activity)} by ${quoted(activity.actor)}`
}

function coveredWords(one: NearbyWork): string {
  const file = one.changes?.files.find(isCovered)
  return file === undefined ? whoOf(one) : `${whoOf(one)} (${theirPlace(file)})`
}

function nearbyWords(one: NearbyWork): string {
  const who = whoOf(one)
  const [closest] = one.changes?.files ?? []
  if (!closest) return who
  const { proximity, theirLines, distance } = closest
  if (proximity === 'covered') return coveredWords(one)
  if (proximity === 'same content') return `${who} (${fileName(closest)}, the same change)`
  if (theirLines === null) return `${who} (${fileName(closest)})`
  return `${who} (${shownRange(theirLines)} of ${fileName(closest)}${farFromYours(distance)})`
}

/** Work of ignored authors is near even if it touches. */
function farFromYours(distance: number | null): string {
  if (distance === null) return ''
  return distance === 0 ? ', touching yours' : `, ${distance} ${distance === 1 ? 'line' : 'lines'} from yours`
}
