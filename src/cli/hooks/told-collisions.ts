import { severities } from '../../core/enums.ts'
import { type Json, recordList, textField, textList } from '../client/json.ts'

/** The severity of each collision that was shown, by key. */
export type Severities = Readonly<Record<string, string>>

export interface FoundCollision {
  id: string
  /** The keys that identify it. A branch or a pull request may get a new record. */
  keys: readonly string[]
  /** Empty where the reason only counts the collision. */
  severity: string
}

/** The ids of the collisions that were shown before and are not worse now. */
export function knownCollisions(found: readonly FoundCollision[], told: Severities): string[] {
  return found.flatMap(({ id, keys, severity }) => {
    const before = keys.map((key) => told[key]).filter((known) => known !== undefined)
    return before.some((known) => rank(severity) <= rank(known)) ? [id] : []
  })
}

/** The collisions in the response of a check. */
export function collisionsIn(overlap: Json): FoundCollision[] {
  const described = recordList(overlap, 'collisions').map((item) => {
    const id = textField(item, 'activity_id') ?? ''
    return { id, keys: workKeys(item, id), severity: textField(item, 'severity') ?? '' }
  })
  const counted = textList(overlap, 'related_activity_ids')
    .filter((id) => described.every((item) => item.id !== id))
    .map((id) => ({ id, keys: [id], severity: '' }))
  return [...described, ...counted]
}

/**
 * The keys that identify work: its id, its pull request, its branch. Several people may work on one branch, such as the
 * default branch.
 */
export function workKeys(item: Json, id: string): string[] {
  const [pullRequest, branch] = [textField(item, 'pr_url'), textField(item, 'branch')]
  const ofBranch = branch === undefined ? [] : [`${branch} by ${textField(item, 'actor') ?? ''}`]
  return [id, ...(pullRequest === undefined ? [] : [pullRequest]), ...ofBranch]
}

/** The collisions shown before and now, each with its worst severity. */
export function withWorst(told: Severities, found: readonly FoundCollision[]): Severities {
  const worse = found.flatMap(({ keys, severity }) =>
    keys.filter((key) => rank(severity) >= rank(told[key] ?? '')).map((key) => [key, severity] as const),
  )
  return { ...told, ...Object.fromEntries(worse) }
}

function rank(severity: string): number {
  return severities.map(String).indexOf(severity)
}
