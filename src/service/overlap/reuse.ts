import { hidesWords } from '../../core/rules/author.ts'
import type { MergedActivity } from '../../core/rules/candidates/rows.ts'
import type { Comparison } from '../../core/rules/compare-all.ts'
import { numbersOf, sharedIssues } from '../../core/rules/duplicates/same-issue-rules.ts'
import type { ReuseOpportunity } from '../../core/schemas/overlap.ts'
import { compareInSlices, type ScopeOverlap } from '../../core/scope/compare.ts'
import { escapeGlob } from '../../core/scope/glob/escape.ts'
import { isUsedUp, runInSlices } from '../../core/scope/match/work-budget.ts'
import { ago } from '../../core/texts/age.ts'
import { issueNumbers } from '../../core/texts/issue-list.ts'
import { placeOf } from '../../core/texts/lines/collision-line.ts'
import { quoted, quotedPath } from '../../core/texts/quote.ts'
import { endedAfter, type Retention } from '../lib/retention.ts'
import type { MergedPage } from './candidates/find-candidates.sql.ts'

const day = 86_400_000
/** The limit of reuse opportunities (docs/rules.md#reuse-opportunities). */
const most = 5
/** What a page counts in the budget of the check. */
const STEPS_OF_A_PAGE = 50_000
/** The size of a page of merged candidates. */
const pageSize = 50
/** For how long it counts that merged work named an issue, and a merged pull request that nobody recorded, in milliseconds. */
const recentMs = 7 * day

/** The first page of merged work. */
export function firstPage(context: Retention): MergedPage {
  return { endedAfter: endedAfter(context), closedAfter: new Date(context.now.getTime() - recentMs), count: pageSize }
}

/** Merged work whose scope may overlap or that named an issue of the proposal, in the order of `MergedPage`. */
export interface MergedCandidates {
  /** The first page. */
  merged: readonly MergedActivity[]
  /** Loads the page after this activity. */
  loadMerged(after: MergedActivity & { closes: boolean }): Promise<readonly MergedActivity[]>
}

/** Merged work, and what it has in common with the proposal. */
interface FoundMerged {
  row: MergedActivity
  /** The issues that it named, where it was merged lately. */
  issues: readonly number[]
  /** The place, in words; null where it only named the issues. */
  example: string | null
}

/**
 * Merged work: first that which named an issue of the proposal lately, then that whose scope overlaps, each newest first
 * (docs/rules.md#reuse-opportunities).
 */
export async function findReuse(
  { merged, loadMerged, self }: MergedCandidates & { self: string | undefined },
  comparison: Comparison,
): Promise<ReuseOpportunity[]> {
  const { work, now } = comparison
  const found: FoundMerged[] = []
  const opportunities = () => found.map((one) => opportunity(one, now))
  for (let page = merged; ; ) {
    for (const row of page) {
      if (row.id === self) continue
      const issues = closedIssues(row, comparison)
      const example = issues.length > 0 ? null : await exampleOf(row, comparison)
      if (example === 'undecided') return opportunities()
      if (example === null && issues.length === 0) continue
      const duplicate = found.find((other) => isSamePullRequest(other.row, row))
      if (!duplicate) found.push({ row, issues, example })
      else if (row.source === 'recorded' && duplicate.row.source !== 'recorded') duplicate.row = row
      if (found.length === most) return opportunities()
    }
    const last = page.at(-1)
    if (!last || page.length < pageSize || isUsedUp(work)) return opportunities()
    work.steps += STEPS_OF_A_PAGE
    page = await loadMerged({ ...last, closes: closedIssues(last, comparison).length > 0 })
  }
}

/** The issues of the proposal that the work named, where it was merged lately. */
function closedIssues({ ended_at, issues }: MergedActivity, { issues: ours, now }: Comparison): readonly number[] {
  const shared = isRecent(ended_at, now) ? sharedIssues(ours, issues) : null
  return shared ? numbersOf(shared) : []
}

function isRecent(endedAt: Date, now: Date): boolean {
  return now.getTime() - endedAt.getTime() < recentMs
}

function exampleOf(row: MergedActivity, comparison: Comparison) {
  return row.is_declared ? exampleInScope(row, comparison) : exampleInChanges(row, comparison)
}

/** Recorded work belongs to its linked pull request, else to one of its branch (docs/rules.md#covered-work). */
function isSamePullRequest(one: MergedActivity, other: MergedActivity): boolean {
  if (one.pr_number !== null && other.pr_number !== null) return one.pr_number === other.pr_number
  if (one.pr_url !== null && other.pr_url !== null) return one.pr_url === other.pr_url
  return one.source !== other.source && one.branch !== null && one.branch === other.branch
}

/** What both have in common, in words; null if nothing. The changed files of recorded work are places of its scope. */
async function exampleInScope(row: MergedActivity, { proposed, parse, counting, work }: Comparison) {
  const changed = [...(row.changed?.byPath.keys() ?? [])].filter((path) => !counting.isIgnored(path))
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
  if (changed === null || !isRecent(ended_at, now)) return null
  work.steps += 2 * (named.literal.length + (ours?.byPath.size ?? 0))
  const files = new Set([...named.literal, ...(ours?.byPath.keys() ?? [])])
  const shared = [...files].filter((file) => changed.byPath.has(file))
  const [example] = shared
  return example !== undefined && shared.length > files.size / 2 ? `files such as ${quotedPath(example)}` : null
}

function opportunity({ row, issues, example }: FoundMerged, now: Date): ReuseOpportunity {
  return {
    activity_id: row.id,
    title: hidesWords(row) ? `Pull request #${row.pr_number}` : row.title,
    branch: hidesWords(row) ? null : row.branch,
    pr_url: row.pr_url,
    ended_at: row.ended_at.toISOString(),
    issues: [...issues],
    reason:
      issues.length > 0
        ? closedWords(row, issues, now)
        : `${quoted(row.actor)} merged work on ${example}: see whether it already does part of this.`,
  }
}

/** `#42 was closed by #131, merged yesterday (work of “carla”): see what is left to do.` */
function closedWords(row: MergedActivity, issues: readonly number[], now: Date): string {
  const name = row.pr_number === null ? quoted(row.title) : `#${row.pr_number}`
  const closed = `${issueNumbers(issues)} ${issues.length === 1 ? 'was' : 'were'} closed by ${name}`
  return `${closed}, merged ${mergedAgo(row.ended_at, now)} (work of ${quoted(row.actor)}): see what is left to do.`
}

function mergedAgo(then: Date, now: Date): string {
  const days = Math.floor((now.getTime() - then.getTime()) / day)
  return days === 1 ? 'yesterday' : ago(then, now)
}
