import type { Activity } from '../../core/schemas/activity.ts'
import type { Met, Overlap } from '../../core/schemas/overlap.ts'
import type { Context } from '../context.ts'
import { triedMerges } from './tried-merges.ts'

/** Tries the merge with the newest open pull request, to see whether it can be done here. */
export async function tryOneMerge(context: Context): Promise<{ works: boolean; text: string }> {
  const { items } = await context.api.activities({ source: 'pull_request', limit: 1 })
  const [pull] = items
  if (!pull) return { works: true, text: 'There is no pull request to try a merge with.' }
  const changes = await context.changes()
  if (!changes?.sent) return { works: true, text: 'No merge was tried, since what is changed here is not known.' }
  const overlap = { collisions: [asMet(pull)], nearby: [] }
  const { merges, lines } = await triedMerges(context, overlap, { changes, fields: {} })
  const text = lines[0] ?? 'No merge was tried: the head of the newest pull request is not known.'
  return { works: merges[0]?.conflicts != null, text }
}

function asMet({ id, branch, pr_url, changes, actor, began_at }: Activity): Overlap['collisions'][number] {
  const number = Number(/\d+$/.exec(pr_url ?? '')?.[0] ?? 0)
  const nothing = { paths: [], paths_total: 0, lines: null, their_lines: null, areas: [], issues: [], text: '' }
  const met: Met = {
    ...{ activity_id: id, severity: null, by: 'file', example_path: null, ...nothing, actor, stranger: false, branch },
    ...{ number, pr_url, head_sha: changes?.head_sha ?? null, source: 'pull_request', changes_only: true, began_at },
  }
  return met
}
