import type { Overlap } from '../../core/schemas/overlap.ts'
import type { Context } from '../context.ts'
import type { Beside } from '../merge/beside.ts'
import type { Answered } from '../merge/candidates.ts'
import { tryCandidates } from '../merge/try-candidates.ts'
import type { Proposed } from './proposal.ts'

const nothing: Beside = { merges: [], lines: [] }

/** Tries the merges with the work of an answer. Nothing where the changes of this work tree were not compared. */
export async function triedMerges(
  context: Context,
  overlap: Answered,
  { changes, fields }: Pick<Proposed, 'changes' | 'fields'>,
): Promise<Beside> {
  const { tree, repository, githubServer, token } = context
  if (tree === undefined || !changes?.sent) return nothing
  const paths = changes.sent.files.flatMap(({ path, previous_path }) => [path, previous_path ?? path])
  const url = new URL(`${repository.owner}/${repository.name}.git`, githubServer)
  const target = fields.base_branch ?? (await context.repositoryFacts()).defaultBranch
  return tryCandidates({ tree, status: changes.status, paths: new Set(paths) }, overlap, {
    url,
    token: token.token,
    target,
  })
}

/**
 * Whether something is left that `check --exit-code` tells of: a notable, or a collision with a member's work. A collision by
 * changes alone is settled where a try showed that it merges.
 */
export function hasUnsettled(
  overlap: Pick<Overlap, 'related_notable_ids' | 'related_activity_ids' | 'collisions'>,
  { merges }: Pick<Beside, 'merges'>,
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
