import type { Context } from '../context.ts'
import { endedAfter } from '../lib/retention.ts'
import { findPartlyListed } from '../observed/branches/partly-listed.sql.ts'
import { observesBranches } from '../observed/is-observed.ts'
import { visibleObservation } from '../observed/state.ts'
import { evaluate } from './evaluate.ts'
import { loadProposals } from './load-proposals.ts'
import type { Proposal } from './proposal.ts'
import { mergedPageSize } from './reuse.ts'
import type { Overlap } from './schema.ts'

/** Compares proposals with the live work (docs/rules.md#overlap): loads candidates by index, and evaluates them. */
export async function checkOverlaps(
  context: Context,
  proposals: readonly Proposal[],
  sendsChanges = false,
): Promise<Overlap[]> {
  const { db, now, repository, settings, viewer } = context
  const namesFiles = proposals.some(({ scope, changes }) => scope.paths.length + (changes?.files.length ?? 0) > 0)
  const { observed, mayRead: seesObserved } = await visibleObservation(viewer, { namesFiles })
  const loaded = await loadProposals(context, proposals, {
    ...{ seesObserved, notables: true, described: false },
    merged: { endedAfter: endedAfter(context), count: mergedPageSize },
  })
  const isListing = seesObserved && observesBranches(settings)
  const partlyListed = isListing ? await findPartlyListed(db, repository.id, now) : []
  const overlaps: Overlap[] = []
  for (const { proposal, comparison, ...rows } of loaded) {
    const { self, ended, own } = proposal
    const triesMerges = sendsChanges && seesObserved
    const candidates = { ...rows, ...{ self, ended, own, observed, partlyListed, triesMerges } }
    overlaps.push(await evaluate(proposal, candidates, await comparison()))
  }
  return overlaps
}

/** `sendsChanges`: whether the caller itself says what it changes, and so may try merges with it. */
export async function checkOverlap(context: Context, proposal: Proposal, sendsChanges = false): Promise<Overlap> {
  const [overlap] = await checkOverlaps(context, [proposal], sendsChanges)
  if (!overlap) throw new Error('A check of one proposal has one answer.')
  return overlap
}
