import { listFor } from '../lib/maps.ts'

/** What decides a relationship: where the work happens, and what it will merge into. */
export interface BranchInfo {
  branch: string | null
  base_branch: string | null
}

/**
 * The live activities that are the caller's own or stacked, by id (docs/rules.md#relationships); whatever is missing
 * may collide. `own` shares the proposal's branch. `stacked` is an ancestor (on the proposal's base, on the base of those,
 * and so on) or a descendant (whose ancestors reach the proposal's branch): never up and then down, since two branches on
 * one base are siblings. The default branch never links. Cycles end.
 */
export function expectedActivities<Work extends BranchInfo & { id: string }>(
  proposal: BranchInfo,
  live: readonly Work[],
  defaultBranch: string,
): Map<string, 'own' | 'stacked'> {
  const links = (branch: string | null): branch is string => branch !== null && branch !== defaultBranch
  const onBranch = grouped(live, (work) => work.branch)
  const onBase = grouped(live, (work) => work.base_branch)
  const expected = new Map<string, 'own' | 'stacked'>()
  const start = links(proposal.branch) ? [proposal.branch] : []
  const base = links(proposal.base_branch) ? [proposal.base_branch] : []
  const ancestors = reach(
    base,
    links,
    (branch) => onBranch.get(branch) ?? [],
    (work) => work.base_branch,
  )
  const descendants = reach(
    start,
    links,
    (branch) => onBase.get(branch) ?? [],
    (work) => work.branch,
  )
  for (const work of [...ancestors, ...descendants]) expected.set(work.id, 'stacked')
  for (const branch of start) for (const work of onBranch.get(branch) ?? []) expected.set(work.id, 'own')
  return expected
}

function grouped<Work>(works: readonly Work[], branchOf: (work: Work) => string | null): Map<string, Work[]> {
  const groups = new Map<string, Work[]>()
  for (const work of works) {
    const branch = branchOf(work)
    if (branch !== null) listFor(groups, branch).push(work)
  }
  return groups
}

/** Everything found by going on from branch to branch; each branch is visited once, so cycles end. */
function reach<Work>(
  start: string[],
  links: (branch: string | null) => branch is string,
  at: (branch: string) => readonly Work[],
  next: (work: Work) => string | null,
): Set<Work> {
  const found = new Set<Work>()
  const visited = new Set(start)
  const queue = [...start]
  for (let branch = queue.pop(); branch !== undefined; branch = queue.pop()) {
    for (const work of at(branch)) {
      found.add(work)
      const further = next(work)
      if (!links(further) || visited.has(further)) continue
      visited.add(further)
      queue.push(further)
    }
  }
  return found
}
