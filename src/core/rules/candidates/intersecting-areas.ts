import { areaKey } from '../../scope/area-key.ts'
import { compareInSlices } from '../../scope/compare.ts'
import { runInSlices, type WorkBudget, workBudget } from '../../scope/match/work-budget.ts'
import type { ParsedScope, ProposedScope } from '../../scope/parse-scope.ts'
import type { Scope } from '../../scope/schema.ts'

type Parse = (scope: Scope) => ParsedScope

/**
 * The keys of the settings' areas whose globs intersect the proposal: work that names such an area may overlap it.
 * Returns all areas if that takes more than `steps` of the budget: superfluous candidates do no harm.
 */
export async function intersectingAreas(
  proposed: ProposedScope,
  labels: string[],
  parse: Parse,
  steps: number,
  budget: WorkBudget,
): Promise<string[]> {
  const work = workBudget(steps, budget.owner)
  const found = await runInSlices(findAreas(proposed, labels, parse, work), work)
  budget.steps += work.steps
  return found === 'undecided' ? labels.map(areaKey) : found
}

function* findAreas(
  proposed: ProposedScope,
  labels: string[],
  parse: Parse,
  work: WorkBudget,
): Generator<void, string[]> {
  const found: string[] = []
  for (const label of labels) {
    const key = areaKey(label)
    // The areas that the proposal names are looked up anyway.
    if (proposed.areaKeys.has(key)) continue
    const area = parse({ areas: [label], paths: [] })
    if (yield* compareInSlices(proposed, area, work)) found.push(key)
  }
  return found
}
