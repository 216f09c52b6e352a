import { decide } from '../../core/rules/decide.ts'
import type { Proposal } from '../../core/rules/proposal.ts'
import type { BatchOverlap, Overlap } from '../../core/schemas/overlap.ts'
import type { Context } from '../context.ts'
import { findPartlyListed } from '../observed/branches/partly-listed.sql.ts'
import { observesBranches } from '../observed/is-observed.ts'
import { visibleObservation } from '../observed/visible-observation.ts'
import { compareProposals } from './compare-proposals.ts'
import { describe } from './describe.ts'
import { checkBudget, loadProposals } from './load-proposals.ts'
import { firstPage } from './reuse.ts'

interface CheckOptions {
  /** Whether the caller itself says what it changes, and so may try merges with it. */
  sendsChanges?: boolean
  /** Whether the proposals are compared with one another, too. */
  comparesProposals?: boolean
}

/**
 * Compares proposals with the live work (docs/rules.md#overlap): loads candidates by index, compares them, decides which collide,
 * and describes these. All proposals share one budget.
 */
async function checkOverlaps(
  context: Context,
  proposals: readonly Proposal[],
  { sendsChanges = false, comparesProposals = false }: CheckOptions,
): Promise<BatchOverlap> {
  const { db, now, repository, settings, viewer } = context
  const namesFiles = proposals.some(({ scope, changes }) => scope.paths.length + (changes?.files.length ?? 0) > 0)
  const { observed, mayRead: seesObserved } = await visibleObservation(viewer, { namesFiles })
  const loaded = await loadProposals(context, proposals, {
    ...{ seesObserved, notables: true, described: false, budget: checkBudget(repository.id) },
    merged: firstPage(context),
  })
  const isListing = seesObserved && observesBranches(settings)
  const partlyListed = isListing ? await findPartlyListed(db, repository.id, now) : []
  const triesMerges = sendsChanges && seesObserved
  const compared = []
  for (const one of loaded) compared.push({ one, comparison: await one.comparison() })
  const { pairs, others } = comparesProposals ? await compareProposals(compared, now) : { pairs: [], others: [] }
  const results: Overlap[] = []
  for (const [index, { one, comparison }] of compared.entries()) {
    const { proposal, comparison: _, ...rows } = one
    const decision = await decide(proposal, rows, comparison)
    const known = { observed, partlyListed, triesMerges, otherProposals: others[index] }
    results.push(await describe(proposal, { ...rows, ...known, decision }, comparison))
  }
  return { results, pairs, pairs_complete: others.every(({ isWhole }) => isWhole) }
}

export async function checkOverlap(context: Context, proposal: Proposal, sendsChanges: boolean): Promise<Overlap> {
  const { results } = await checkOverlaps(context, [proposal], { sendsChanges })
  const [overlap] = results
  if (!overlap) throw new Error('A check of one proposal has one answer.')
  return overlap
}

/** Checks several proposals as one request, and compares them with one another (docs/rules.md#many-tasks). */
export function checkOverlapOfTasks(context: Context, proposals: readonly Proposal[]): Promise<BatchOverlap> {
  return checkOverlaps(context, proposals, { comparesProposals: true })
}
