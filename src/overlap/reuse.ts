import { compareInSlices, type ScopeOverlap } from '../scope/compare.ts'
import { escapeGlob } from '../scope/glob/escape.ts'
import { isUsedUp, runInSlices } from '../scope/match/work-budget.ts'
import type { MergedActivity } from './candidates/rows.ts'
import type { Comparison } from './compare-all.ts'
import { quoted, quotedPath } from './quote.ts'
import type { ReuseOpportunity } from './schema.ts'
import { hidesWords } from './texts/author.ts'
import { placeOf } from './texts/collision-line.ts'

/** The limit of reuse opportunities (docs/rules.md#reuse-opportunities). */
const most = 5
/** What a page counts in the budget of the check. */
const STEPS_OF_A_PAGE = 50_000
/** The size of a page of merged candidates. */
export const mergedPageSize = 50
/** How long a merged pull request that nobody recorded counts, in milliseconds. */
const observedMs = 7 * 86_400_000

/** Merged work whose scope may overlap, newest first. */
export interface MergedCandidates {
  /** The first page, up to `mergedPageSize`. */
  merged: readonly MergedActivity[]
  /** Loads the page after this activity. */
  loadMerged(after: MergedActivity): Promise<readonly MergedActivity[]>
  /** The caller's own activity, which is left out. */
  self?: string | undefined
}

/** Merged work whose scope overlaps the proposal, newest first (docs/rules.md#reuse-opportunities). */
export async function findReuse(
  { merged, loadMerged, self }: MergedCandidates,
  comparison: Comparison,
): Promise<ReuseOpportunity[]> {
  const { work } = comparison
  const found: { row: MergedActivity; example: string }[] = []
  const opportunities = () => found.map(({ row, example }) => opportunity(row, example))
  for (let page = merged; ; ) {
    for (const row of page) {
      if (row.id === self) continue
      const example = row.is_declared ? await exampleInScope(row, comparison) : exampleInChanges(row, comparison)
      if (example === 'undecided') return opportunities()
      if (example === null) continue
      const twin = found.findIndex((other) => isSamePullRequest(other.row, row))
      if (twin !== -1 && (row.source !== 'recorded' || found[twin]?.row.source === 'recorded')) continue
      if (twin !== -1) found.splice(twin, 1)
      found.push({ row, example })
      if (found.length === most) return opportunities()
    }
    const last = page.at(-1)
    if (!last || page.length < mergedPageSize || isUsedUp(work)) return opportunities()
    work.steps += STEPS_OF_A_PAGE
    page = await loadMerged(last)
  }
}

/** Recorded work belongs to its linked pull request, else to one of its branch (docs/rules.md#covered-work). */
function isSamePullRequest(one: MergedActivity, other: MergedActivity): boolean {
  if (one.pr_number !== null && other.pr_number !== null) return one.pr_number === other.pr_number
  if (one.pr_url !== null && other.pr_url !== null) return one.pr_url === other.pr_url
  return one.source !== other.source && one.branch !== null && one.branch === other.branch
}

/** What both have in common, in words; null if nothing. The changed files of recorded work are places of its scope. */
async function exampleInScope(row: MergedActivity, { proposed, parse, quieting, work }: Comparison) {
  const changed = [...(row.changed?.byPath.keys() ?? [])].filter((path) => !quieting.isIgnored(path))
  const scope = parse({ areas: row.areas, paths: [...row.paths, ...changed.map(escapeGlob)] })
  work.steps += 2 * changed.length
  const overlap = await runInSlices(compareInSlices(proposed, scope, work), work)
  if (overlap === 'undecided') return overlap
  return overlap && inWords(overlap)
}

function inWords(overlap: ScopeOverlap): string {
  return overlap.paths ? `files such as ${placeOf(overlap)}` : `the area ${quoted(overlap.areas[0] ?? '')}`
}

/**
 * A merged pull request counts only for some days, and only if it changed most of the files that the proposal names.
 */
function exampleInChanges({ changed, ended_at }: MergedActivity, { named, changed: ours, now, work }: Comparison) {
  if (changed === null || now.getTime() - ended_at.getTime() > observedMs) return null
  work.steps += 2 * (named.literal.length + (ours?.byPath.size ?? 0))
  const files = new Set([...named.literal, ...(ours?.byPath.keys() ?? [])])
  const shared = [...files].filter((file) => changed.byPath.has(file))
  const [example] = shared
  return example !== undefined && shared.length > files.size / 2 ? `files such as ${quotedPath(example)}` : null
}

function opportunity(row: MergedActivity, common: string): ReuseOpportunity {
  return {
    activity_id: row.id,
    title: hidesWords(row) ? `Pull request #${row.pr_number}` : row.title,
    branch: hidesWords(row) ? null : row.branch,
    pr_url: row.pr_url,
    ended_at: row.ended_at.toISOString(),
    reason: `${quoted(row.actor)} merged work on ${common}: see whether it already does part of this.`,
  }
}
