import type { NearbyWork } from '../findings.ts'
import { joinWords, quoted, quotedPath } from '../quote.ts'
import { isStranger } from './author.ts'
import { titleOf } from './collision-line.ts'
import { linesOf } from './file-words.ts'

/** So many are named. */
const mostNamed = 3

/** The line of `reason` about work that is near and no overlap; none if there is none. */
export function nearbyLines(nearby: readonly NearbyWork[]): string[] {
  if (nearby.length === 0) return []
  const named = nearby.slice(0, mostNamed).map(nearbyWords)
  const more = nearby.length - named.length
  return [`Near, and no overlap: ${joinWords(more > 0 ? [...named, `${more} more`] : named)}.`]
}

function nearbyWords({ activity, changes }: NearbyWork): string {
  const who = `${titleOf(activity)} by ${quoted(activity.actor)}`
  const [closest] = changes.files
  if (!closest) return who
  const { path, proximity, theirLines, distance } = closest
  // The file of a stranger may be new, and then its name is the stranger's wording.
  if (proximity === 'covered' && isStranger(activity)) return who
  if (theirLines === null) return `${who} (${quotedPath(path)})`
  return `${who} (${linesOf([theirLines])} of ${quotedPath(path)}${farFromYours(distance)})`
}

/** Work of ignored authors is near even if it touches. */
function farFromYours(distance: number | null): string {
  if (distance === null) return ''
  return distance === 0 ? ', touching yours' : `, ${distance} ${distance === 1 ? 'line' : 'lines'} from yours`
}
