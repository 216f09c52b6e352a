import type { LoadActivities, LoadedActivity } from '../../core/rules/candidates/rows.ts'
import type { Comparison } from '../../core/rules/compare-all.ts'
import { compareWithChanges } from '../../core/rules/compare-work.ts'
import type { Decision } from '../../core/rules/decide.ts'
import { type Collision, type Findings, isLoaded, type LoadedCollision } from '../../core/rules/findings.ts'
import { loadedCollision } from '../../core/rules/loaded-collision.ts'
import { worstFirst } from '../../core/rules/order/list-order.ts'
import { mostDescribed } from '../../core/rules/response/id-limits.ts'
import { compareInSlices, type ScopeOverlap } from '../../core/scope/compare.ts'
import { runInSlices } from '../../core/scope/match/work-budget.ts'

const noExample: ScopeOverlap = { areas: [], paths: null, sameFile: null }

/**
 * Sorts the collisions, worst first, and loads the first `count`, by default those that the texts describe. An activity
 * that has ended since the index was read is left out. One that has changed gets its new severity.
 */
export async function loadDescribed(
  decided: Decision['collisions'],
  loadActivities: LoadActivities,
  comparison: Comparison,
  count = mostDescribed,
): Promise<Pick<Findings, 'collisions' | 'loaded'>> {
  for (let collisions = decided.toSorted(worstFirst); ; ) {
    const first = collisions.slice(0, count)
    const missing = first.flatMap((collision) => (isLoaded(collision) ? [] : collision))
    const loaded = first.filter(isLoaded)
    if (missing.length === 0) return { collisions, loaded }
    const activities = new Map((await loadActivities(missing)).map((activity) => [activity.id, activity]))
    for (const collision of missing) {
      const current = await currentCollision(collision, activities.get(collision.id), {
        ...comparison,
        work: comparison.examples,
      })
      if (current) loaded.push(current)
    }
    collisions = [...loaded, ...collisions.slice(count)].sort(worstFirst)
  }
}

/** The collision as the loaded activity makes it, or null if there is none any more. */
async function currentCollision(
  { severity }: Collision,
  activity: LoadedActivity | undefined,
  comparison: Comparison,
): Promise<LoadedCollision | null> {
  if (!activity || activity.ended_at !== null) return null
  const { counted, parse, work } = comparison
  const overlap = await runInSlices(compareInSlices(counted, parse(activity), work), work)
  const changes = activity.changed && compareWithChanges(comparison, activity.changed, comparison.counting, work)
  // The index knows all paths of a scope that is cut.
  const isUnknown = overlap === 'undecided' || (overlap === null && activity.is_cut)
  if (!isUnknown) return loadedCollision(activity, { scope: overlap, changes, issues: null }, comparison)
  const collision = loadedCollision(activity, { scope: noExample, changes, issues: null }, comparison)
  return collision && { ...collision, severity }
}
