import type { Overlap } from '../../core/schemas/overlap.ts'
import { quotedPath } from '../../core/texts/quote.ts'
import { joined } from '../../core/texts/words.ts'
import type { Context } from '../context.ts'
import { changedPaths } from '../git/changes.ts'
import type { Answered } from '../merge/candidates.ts'
import { reportTries } from '../merge/report-tries.ts'
import type { TryReport } from '../merge/try-report.ts'
import { askService } from '../service.ts'
import type { Doubt, Proposed } from './proposal.ts'

const nothing: TryReport = { merges: [], lines: [], ownConflicts: null }

/** Tries the merges with the work of an answer; not by `--no-merge`, and not where the changes here were not compared. */
export async function tryMerges(
  context: Context,
  overlap: Answered,
  { changes, fields }: Pick<Proposed, 'changes' | 'fields'>,
  { merge }: { merge: boolean },
): Promise<TryReport> {
  const { tree, repository, service, token } = context
  if (!merge || tree === undefined || !changes?.sent) return nothing
  const target = fields.base_branch ?? (await context.repositoryFacts()).defaultBranch
  const here = { tree, status: changes.status, paths: new Set(changedPaths(changes)) }
  return reportTries(here, overlap, async (signal) => {
    // A clone can hold a forged state: the service says itself which GitHub gets the token.
    const { github_server_url } = await askService(service, signal)
    const url = new URL(`${repository.owner}/${repository.name}.git`, github_server_url)
    return { url, token: token.token, target }
  })
}

/** Work that does not merge with its target branch must be mended first, whatever others do. */
export function targetDoubts({ ownConflicts }: TryReport): Doubt[] {
  if (ownConflicts === null) return []
  const where = ownConflicts.length === 0 ? '' : `: ${joined(ownConflicts.map(quotedPath))}`
  return [{ kind: 'target', text: `Your work does not merge with the branch that it goes into${where}.` }]
}

/**
 * Whether something is left that `check --exit-code` tells of: a notable, or a collision with a member's work. A collision by
 * changes alone is settled where a try showed that it merges.
 */
export function hasUnsettled(
  overlap: Pick<Overlap, 'related_notable_ids' | 'related_activity_ids' | 'collisions'>,
  { merges }: Pick<TryReport, 'merges'>,
): boolean {
  const { related_notable_ids, related_activity_ids, collisions } = overlap
  const merging = new Set(merges.flatMap((one) => (one.conflicts?.length === 0 ? one.activity_id : [])))
  // Members come first: after a stranger the list leaves out strangers alone.
  const leavesOutMembers = related_activity_ids.length > collisions.length && collisions.at(-1)?.stranger !== true
  return (
    related_notable_ids.length > 0 ||
    leavesOutMembers ||
    collisions.some(
      ({ activity_id, stranger, changes_only }) => !stranger && !(changes_only && merging.has(activity_id)),
    )
  )
}
