import { listFor } from '../lib/maps.ts'

/** What decides a relationship: where the work happens, and what it will merge into. */
export interface BranchInfo {
  branch: string | null
  base_branch: string | null
}

export type RelationshipOf = (work: BranchInfo) => 'own' | 'stacked' | undefined

/**
 * Tells which live activities are the caller's own or stacked (docs/rules.md#relationships); any other one may collide. `own` shares the proposal's branch.
 * `stacked` is an ancestor (on the proposal's base, on the base of those, and so on) or a descendant (whose ancestors reach
 * the proposal's branch): never up and then down, since two branches on one base are siblings. The default branch never
 * links. Cycles end. `live` has at least one activity of each pair of branches in the stack.
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

/** The branches to start with, and all that are found by going on from them; each is visited once, so cycles end. */
function reach(start: readonly string[], next: (branch: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set(start)
  // A set hands out what is added while it is gone through.
  for (const branch of found) for (const further of next(branch)) found.add(further)
  return found
}
