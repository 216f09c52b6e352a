import { getOrCreate } from '../../core/lib/maps.ts'
import { sortedNumbers } from '../../core/lib/sorted-numbers.ts'
import type { ComparedActivity } from '../../core/rules/candidates/rows.ts'
import type { Comparison } from '../../core/rules/compare-all.ts'
import { decide } from '../../core/rules/decide.ts'
import { isLoaded, type OtherProposals } from '../../core/rules/findings.ts'
import { collisionItem } from '../../core/rules/response/collision-item.ts'
import { bySeverity, severityRank } from '../../core/rules/severity.ts'
import type { ProposalPair } from '../../core/schemas/overlap.ts'
import type { ParsedScope } from '../../core/scope/parse-scope.ts'
import type { Scope } from '../../core/scope/schema.ts'
import type { LoadedProposal } from './load-proposals.ts'

/** A proposal, and the means to compare others with it. */
export interface ComparableProposal {
  one: Pick<LoadedProposal, 'proposal' | 'stack' | 'defaultBranch'>
  comparison: Comparison
}

export interface ComparedProposals {
  /** Those that collide with one another, worst first, then by their indexes. */
  pairs: ProposalPair[]
  /** What each proposal is to know of the others. */
  others: OtherProposals[]
}

/**
 * Decides which proposals of one request collide, as `decide` does between a proposal and live work (docs/rules.md#many-tasks).
 * Two collide if a comparison from either side says so, and the worse severity counts.
 */
export async function compareProposals(
  proposals: readonly ComparableProposal[],
  now: Date,
): Promise<ComparedProposals> {
  const works = proposals.map(({ one, comparison }, index) => asActivity(one, comparison, index, now))
  const parsed = new Map<Scope, ParsedScope>()
  const found = new Map<string, ProposalPair>()
  const compared: Pick<OtherProposals, 'nearby' | 'nearbyIssues' | 'isWhole'>[] = []
  for (const [index, { one, comparison }] of proposals.entries()) {
    const others = works.filter((_, other) => other !== index)
    const candidates = { stack: [...one.stack, ...others], matchedByIndex: [], candidates: others, notables: [] }
    const decision = await decide(
      one.proposal,
      { ...candidates, defaultBranch: one.defaultBranch },
      { ...comparison, parse: (scope) => getOrCreate(parsed, scope, () => comparison.parse(scope)) },
    )
    const nearby = decision.nearby.filter(({ issues }) => issues.length > 0)
    compared.push({
      isWhole: decision.isWhole,
      nearby: nearby.map(({ activity }) => Number(activity.id)),
      nearbyIssues: sortedNumbers(nearby.flatMap(({ issues }) => issues)),
    })
    for (const collision of decision.collisions.filter(isLoaded)) {
      const { severity, example_path, areas, issues, same_change } = collisionItem(collision)
      const other = Number(collision.id)
      const indexes: [number, number] = index < other ? [index, other] : [other, index]
      const key = indexes.join()
      if (severityRank(severity) > severityRank(found.get(key)?.severity))
        found.set(key, { indexes, severity, example_path, areas, issues, ...(same_change && { same_change }) })
    }
  }
  const pairs = [...found.values()].sort((a, b) => bySeverity(a, b) || byIndexes(a, b))
  const collidingWith = (index: number) =>
    pairs
      .flatMap(({ indexes: [a, b], issues, same_change: isSameChange = false }) =>
        a === index || b === index ? { index: a === index ? b : a, issues, isSameChange } : [],
      )
      .sort((one, other) => one.index - other.index)
  return { pairs, others: compared.map((one, index) => ({ ...one, colliding: collidingWith(index) })) }
}

function byIndexes({ indexes: [a, b] }: ProposalPair, { indexes: [c, d] }: ProposalPair): number {
  return a - c || b - d
}

/** The proposal as the others are compared with it: recorded work that begins now. Its id is its index. */
function asActivity(
  { proposal }: ComparableProposal['one'],
  { changed }: Comparison,
  index: number,
  now: Date,
): ComparedActivity {
  const { branch, base_branch, scope, tags, issues, author, account, pullNumber, weight } = proposal
  return {
    ...{ id: String(index), title: '', actor: '', agent: null, status: 'active' },
    ...{ risk: weight?.risk ?? 'low', blocking: weight?.blocking ?? false },
    ...{ branch, base_branch, areas: [...scope.areas, ...tags], paths: scope.paths, issues },
    ...{ source: 'recorded', is_declared: true, pr_url: null, pr_number: pullNumber ?? null, pull: null },
    ...{ author_login: author, author_id: account?.id ?? null, began_at: now, seen_at: null, changed },
  }
}
