import type { FileOverlap } from '../changed/compare-changes.ts'
import type { Findings, NearbyWork } from '../findings.ts'
import { joinWords, quoted, quotedPath } from '../quote.ts'
import { isStranger } from './author.ts'
import { titleOf } from './collision-line.ts'
import { lineList, theirPlace } from './file-words.ts'

/** The limit of activities that are named. */
const mostNamed = 3

/** The lines of `reason` about work that is near and no overlap. */
export function nearbyLines(nearby: readonly NearbyWork[]): string[] {
  const covered = nearby.filter(isInPaths)
  const others = nearby.filter((one) => !isInPaths(one))
  return [
    ...(covered.length > 0 ? [`Others change files in these paths: ${listOf(covered, coveredWords)}.`] : []),
    ...(others.length > 0 ? [`Near, and no overlap: ${listOf(others, nearbyWords)}.`] : []),
  ]
}

/**
 * Whether others change files that a glob of the proposal covers. Then the proposal has to name its files
 * (docs/rules.md#nearby).
 */
export function coversChanges({ nearby }: Pick<Findings, 'nearby'>): boolean {
  return nearby.some(isInPaths)
}

function isInPaths({ changes, isQuiet }: NearbyWork): boolean {
  return !isQuiet && changes.files.some(isCovered)
}

function isCovered({ proximity }: FileOverlap): boolean {
  return proximity === 'covered'
}

function listOf(all: readonly NearbyWork[], wordsOf: (one: NearbyWork) => string): string {
  const named = all.slice(0, mostNamed).map(wordsOf)
  const more = all.length - named.length
  return joinWords(more > 0 ? [...named, `${more} more`] : named)
}

function whoOf({ activity }: NearbyWork): string {
  return `${titleOf(activity)} by ${quoted(activity.actor)}`
}

/** The file of a stranger may be new, and then its name is the stranger's wording. */
function coveredWords(one: NearbyWork): string {
  const file = one.changes.files.find(isCovered)
  return file === undefined || isStranger(one.activity) ? whoOf(one) : `${whoOf(one)} (${theirPlace(file)})`
}

function nearbyWords(one: NearbyWork): string {
  const who = whoOf(one)
  const [closest] = one.changes.files
  if (!closest) return who
  const { path, proximity, theirLines, distance } = closest
  if (proximity === 'covered') return coveredWords(one)
  if (theirLines === null) return `${who} (${quotedPath(path)})`
  return `${who} (${lineList([theirLines])} of ${quotedPath(path)}${farFromYours(distance)})`
}

/** Work of ignored authors is near even if it touches. */
function farFromYours(distance: number | null): string {
  if (distance === null) return ''
  return distance === 0 ? ', touching yours' : `, ${distance} ${distance === 1 ? 'line' : 'lines'} from yours`
}
