import { compareInTurns } from '../../core/overlap/compare.ts'
import type { Comparison } from '../../core/overlap/comparison.ts'
import type { Work } from '../../core/overlap/work.ts'
import type { ReuseOpportunity } from '../../core/schemas/overlap.ts'
import { quoted, quotedPath } from '../../core/texts/quote.ts'
import { issueList } from '../../core/texts/words.ts'
import { createTurns } from '../../core/turns.ts'
import type { Facts } from './facts.ts'

const most = 5
const mostSteps = 200_000

/** With the number of its pull request; null where that is none of this repository. */
export type Reuse = ReuseOpportunity & Pick<Facts, 'number'>

/** Work that was merged lately where the proposal is about to work, or that closed an issue of it: the newest first. */
export async function reuseOf(work: Work, merged: readonly Facts[]): Promise<Reuse[]> {
  const found: Reuse[] = []
  const seen = new Set<number>()
  const turn = createTurns()
  const limits = { budget: { steps: mostSteps }, epics: new Set<number>() }
  for (const one of merged) {
    if (found.length === most) break
    const { id: activity_id, title, branch, pr_url, number, ended_at } = one
    // A pull request and its record are one work.
    if (ended_at === null || (number !== null && seen.has(number))) continue
    const shared = await compareInTurns(work, one.work, limits, turn)
    if (!shared || (shared.severity === null && shared.issues.length === 0)) continue
    if (number !== null) seen.add(number)
    const what = { activity_id, title, pr_url, number, branch }
    found.push({ ...what, ended_at: ended_at.toISOString(), reason: reasonOf(shared) })
  }
  return found
}

function reasonOf({ issues, examplePath, areas }: Comparison): string {
  if (issues.length > 0) return `It was for ${issueList(issues)} too.`
  return `It was about ${examplePath === null ? `the area ${quoted(areas[0] ?? '')}` : quotedPath(examplePath)}.`
}
