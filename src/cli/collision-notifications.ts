import { type Json, textField, textList } from './client/json.ts'
import { type FoundCollision, knownCollisions, type Severities, withWorst, workKeys } from './hooks/told-collisions.ts'

/** Decides when to notify of colliding pairs: of each once, and again when it gets worse. */
export interface CollisionNotifications {
  /** Remembers what these activities are known by. */
  remember(activities: readonly Json[]): void
  /** Whether one of the pairs is news. */
  areDue(pairs: readonly Json[]): boolean
}

export function createCollisionNotifications(): CollisionNotifications {
  const keysById = new Map<string, string[]>()
  let told: Severities = {}

  /** A pair is known by what both of its activities are known by. */
  function toCollision(pair: Json): FoundCollision {
    const ids = textList(pair, 'activity_ids')
    const [first = [], second = []] = ids.map((id) => keysById.get(id) ?? [id])
    const keys = first.flatMap((one) => second.map((other) => JSON.stringify([one, other].sort())))
    return { id: ids.join(' '), keys, severity: textField(pair, 'severity') ?? '' }
  }

  return {
    remember(activities) {
      for (const activity of activities) {
        const id = textField(activity, 'id') ?? ''
        keysById.set(id, workKeys(activity, id))
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
