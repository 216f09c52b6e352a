import { type Json, textField, textList } from './client/json.ts'
import { type FoundCollision, knownCollisions, type Severities, withWorst, workKeys } from './hooks/told-collisions.ts'

/** Decides when to notify of colliding pairs: of each once, and again when it gets worse. */
export interface CollisionNotifications {
  /** Saves the keys of these activities. */
  remember(activities: readonly Json[]): void
  /** Whether one of the pairs is news. */
  areDue(pairs: readonly Json[]): boolean
}

/** The keys that identify an activity. */
interface KnownWork {
  keys: readonly string[]
  keysWithoutBranch: readonly string[]
  branch?: string | undefined
  baseBranch?: string | undefined
}

export function createCollisionNotifications(): CollisionNotifications {
  const works = new Map<string, KnownWork>()
  let told: Severities = {}

  /** The keys of a pair combine those of its two activities. */
  function toCollision(pair: Json): FoundCollision {
    const ids = textList(pair, 'activity_ids')
    const [first, second] = ids.map((id) => works.get(id) ?? { keys: [id], keysWithoutBranch: [id] })
    const keys = first && second ? keysOfPair(first, second) : []
    return { id: ids.join(' '), keys, severity: textField(pair, 'severity') ?? '' }
  }

  return {
    remember(activities) {
      for (const activity of activities) {
        const id = textField(activity, 'id') ?? ''
        works.set(id, {
          keys: workKeys(activity, id),
          keysWithoutBranch: workKeys({ ...activity, branch: null }, id),
          branch: textField(activity, 'branch'),
          baseBranch: textField(activity, 'base_branch'),
        })
      }
    },
    areDue(pairs) {
      const found = pairs.filter(({ gone }) => gone !== true).map(toCollision)
      const known = knownCollisions(found, told)
      told = withWorst(told, found)
      return found.some(({ id }) => !known.includes(id))
    },
  }
}

function keysOfPair(first: KnownWork, second: KnownWork): string[] {
  const others = keysBeside(second, first)
  return keysBeside(first, second).flatMap((one) => others.map((other) => JSON.stringify([one, other].sort())))
}

/**
 * Work on the branch or the base branch of what it collides with is on the default branch: on any other branch it would be
 * own or stacked work. One person does many things there, so the branch does not identify the work.
 */
function keysBeside({ branch, keys, keysWithoutBranch }: KnownWork, other: KnownWork): readonly string[] {
  const isDefault = branch !== undefined && (branch === other.branch || branch === other.baseBranch)
  return isDefault ? keysWithoutBranch : keys
}
