import { tryTrees } from '../../src/cli/merge/try-trees.ts'
import { parseGitDiff } from '../../src/core/changes/git-diff.ts'
import { matchesAny } from '../../src/core/changes/ignored.ts'
import type { Severity } from '../../src/core/enums.ts'
import { type ComparableWork, comparableWork } from '../../src/core/rules/changed/changed-work.ts'
import { compareChanges } from '../../src/core/rules/changed/compare-changes.ts'
import { severityAfterMerge } from '../../src/core/rules/severity-after-merge.ts'
import { ignoredByDefault } from '../pull-requests.ts'
import { findPairs, type OpenPair, resolutionReader } from './find-resolutions.ts'
import { type History, textOf } from './read-history.ts'

/** What was told of a pair at the moment before the first one was merged, and what people had to do then. */
export interface JudgedPair {
  isResolved: boolean
  byLines: Severity | null
  /** The severity that the client gives after its merge. */
  byMerge: Severity | null
  merge: 'conflicts' | 'clean' | 'not_tried'
}

const ignored = new Map<string, boolean>()

export function isIgnored(path: string): boolean {
  const known = ignored.get(path) ?? matchesAny(path, ignoredByDefault)
  ignored.set(path, known)
  return known
}

/** Hot files are not known in a history, and neither are accounts. */
const rules = { ignoredAuthors: [], maxFiles: 100, isIgnored, isHot: () => false }
const atOnce = 8
const diffOptions = [
  '--raw',
  '--abbrev=40',
  '-z',
  '--patch',
  '-U0',
  '-M',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
]

/** Judges all pairs of a history whose outcome is known. */
export async function judgePairs(history: History): Promise<JudgedPair[]> {
  const { at } = history
  const works = new Map<string, ComparableWork>()
  const readOutcome = resolutionReader(history)
  const judged: JudgedPair[] = []
  // Some at once, in the order of the history.
  const pairs = findPairs(history)
  for (let at = 0; at < pairs.length; at += atOnce) {
    const found = await Promise.all(pairs.slice(at, at + atOnce).map(judgePair))
    judged.push(...found.filter((pair) => pair !== null))
  }
  return judged

  async function judgePair(pair: OpenPair): Promise<JudgedPair | null> {
    const { first, second, old } = pair
    const tip = first.before
    const [ours, theirs] = [await workOf(tip, old), await workOf(tip, first.head)]
    const shared = [...ours.byPath.keys()].filter((path) => theirs.byPath.has(path) && !isIgnored(path))
    if (shared.length === 0) return null
    const outcome = await readOutcome(pair, shared)
    if (outcome === null) return null
    const candidate = {
      activity_id: String(first.number),
      number: first.number,
      branch: null,
      head_sha: first.head,
      base_branch: null,
      hides_words: false,
      files: theirs.work.files.map(({ path, previous_path }) => ({ path, previous_path, is_ignored: isIgnored(path) })),
    }
    const own = {
      tip,
      mine: old,
      leftOut: new Map(),
      filtered: new Set<string>(),
      changedPaths: new Set(ours.byPath.keys()),
    }
    const { tried, target } = await tryTrees(at, [{ candidate, head: first.head }], own, 'target', 'failed')
    const [result] = tried
    if (!result) throw new Error(`No result of #${first.number} and #${second.number}.`)
    // A resolution may then be of what conflicted before.
    if (target.paths.some((path) => shared.includes(path))) return null
    const byLines = compareChanges(ours, theirs, rules)?.severity ?? null
    const known = {
      severity: byLines,
      withoutLines: null,
      isGrave: false,
      limit: Math.max(ours.work.filesTotal, theirs.work.filesTotal) > rules.maxFiles ? ('medium' as const) : null,
      isIgnoredAuthor: false,
      isSameChange: false,
      hasUnpushedLines: false,
    }
    return {
      isResolved: outcome === 'resolved',
      byLines,
      byMerge: severityAfterMerge(known, result).severity,
      merge: result.merge,
    }
  }

  async function workOf(tip: string, head: string): Promise<ComparableWork> {
    const base = (await textOf(at, ['merge-base', tip, head])).split('\n')[0] ?? ''
    const known = works.get(`${base} ${head}`)
    if (known) return known
    const files = parseGitDiff(await textOf(at, ['diff', ...diffOptions, base, head]))
    const commits = new Set<string>()
    const work = { baseBranch: null, author: null, headSha: head, commits, files, filesTotal: files.length }
    const made = comparableWork(work)
    works.set(`${base} ${head}`, made)
    return made
  }
}
