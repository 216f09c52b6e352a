import { pullNumberOf } from '../../core/names.ts'
import type { Context } from '../context.ts'
import { tryMerges } from './try-merges.ts'

/** Tries the merge with the newest open pull request, to see whether it can be done here. */
export async function tryNewestPull(context: Context): Promise<{ works: boolean; text: string }> {
  const { items } = await context.api.activities({ source: 'pull_request', limit: 1 })
  const [pull] = items
  if (!pull) return { works: true, text: 'There is no pull request to try a merge with.' }
  const changes = await context.changes()
  if (!changes?.sent) return { works: true, text: 'No merge was tried, since what is changed here is not known.' }
  const head_sha = pull.changes?.head_sha ?? null
  const number = pullNumberOf(pull.pr_url)
  const work = { ...pull, activity_id: pull.id, head_sha, number, paths: [], paths_total: 0, example_path: null }
  const { merges, lines } = await tryMerges(
    context,
    { collisions: [work], nearby: [] },
    { changes, fields: {} },
    { merge: true },
  )
  const text = lines[0] ?? 'No merge was tried: the head of the newest pull request is not known.'
  return { works: merges[0]?.conflicts != null, text }
}
