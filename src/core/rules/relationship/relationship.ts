import { listFor } from '../../lib/maps.ts'

/** The branch of the work, and the branch that it will merge into. */
export interface BranchInfo {
  branch: string | null
  base_branch: string | null
}

export type RelationshipOf = (work: BranchInfo) => 'own' | 'stacked' | undefined

/**
 * Returns a function that distinguishes own and stacked work from work that may collide (docs/rules.md#relationships).
 * `own` shares the proposal's branch. `stacked` is an ancestor (on the proposal's base, on the base of those, and so
 * on) or a descendant (whose ancestors reach the proposal's branch). Two branches on one base are siblings, not
 * stacked. The default branch never links. `live` has at least one activity of each pair of branches in the stack.
 */
export function relationshipTo(
  proposal: BranchInfo,
  live: readonly BranchInfo[],
  defaultBranch: string,
): RelationshipOf {
  const links = (branch: string | null): branch is string => branch !== null && branch !== defaultBranch
  const basesOf = grouped(live, 'branch', 'base_branch')
  const branchesOn = grouped(live, 'base_branch', 'branch')
  const ancestors = reach([proposal.base_branch].filter(links), (branch) => (basesOf.get(branch) ?? []).filter(links))
  const descendants = reach([proposal.branch].filter(links), (branch) => (branchesOn.get(branch) ?? []).filter(links))
  return ({ branch, base_branch }) => {
    if (links(branch) && branch === proposal.branch) return 'own'
    const isAncestor = branch !== null && ancestors.has(branch)
    const isDescendant = base_branch !== null && descendants.has(base_branch)
    return isAncestor || isDescendant ? 'stacked' : undefined
  }
}

function grouped(
  live: readonly BranchInfo[],
  by: keyof BranchInfo,
  value: keyof BranchInfo,
): Map<string, (string | null)[]> {
  const groups = new Map<string, (string | null)[]>()
  for (const work of live) {
    const branch = work[by]
    if (branch !== null) listFor(groups, branch).push(work[value])
  }
  return groups
}

/** All branches that can be reached from the first ones. Each is visited once, so cycles end. */
function reach(start: readonly string[], next: (branch: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set(start)
  // Iterating over a set includes the elements that are added meanwhile.
  for (const branch of found) for (const further of next(branch)) found.add(further)
  return found
}
