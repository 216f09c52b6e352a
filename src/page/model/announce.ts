import { activityName } from './describe.ts'
import type { LiveState } from './live-state.ts'
import { visibleText } from './visible-text.ts'

/** The text for screen readers after the collisions have changed; empty if they have not. */
export function announcement(before: LiveState | undefined, after: LiveState): string {
  if (!before || before.collisions === after.collisions) return ''
  const fresh = [...after.collisions].filter(([key]) => !before.collisions.has(key)).map(([, pair]) => pair)
  const gone = [...before.collisions.keys()].filter((key) => !after.collisions.has(key)).length
  const [first] = fresh
  if (first && fresh.length === 1) {
    const names = first.activity_ids.map((id) => {
      const activity = after.activities.get(id)
      return activity ? visibleText(activityName(activity)) : 'other work'
    })
    const where = first.example_path === null ? '' : ` in ${visibleText(first.example_path)}`
    return `New collision, ${first.severity} severity: ${names.join(' and ')}${where}.`
  }
  if (fresh.length > 1) return `${fresh.length} new collisions.`
  return gone === 1 ? 'A collision is over.' : gone > 1 ? `${gone} collisions are over.` : ''
}
