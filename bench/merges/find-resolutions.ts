import { readBlobs } from '../../src/cli/merge/git/read-blobs.ts'
import { type History, type MergedPull, textOf } from './read-history.ts'

/** Two pull requests that were open together and both merged later: `first` was merged while `second` had the head `old`. */
export interface OpenPair {
  first: MergedPull
  second: MergedPull
  old: string
}

/** What people had to do when the second one met the first one; null where the history does not say. */
export type Outcome = 'resolved' | 'untouched' | null

/** All pairs that share a counted file, where the head of the second one at the time of the first merge is known. */
export function findPairs({ pulls, commits, landed }: History): OpenPair[] {
  const byFile = new Map<string, MergedPull[]>()
  for (const pull of pulls) for (const file of pull.files) byFile.set(file, [...(byFile.get(file) ?? []), pull])
  const seen = new Set<string>()
  const pairs: OpenPair[] = []
  for (const second of pulls) {
    const begun = Math.min(...second.chain.map((id) => commits.get(id)?.authoredAt ?? 0))
    const own = new Set(second.chain)
    for (const first of [...second.files].flatMap((file) => byFile.get(file) ?? [])) {
      const key = `${first.commit} ${second.commit}`
      if (first.index >= second.index || first.mergedAt < begun || seen.has(key)) continue
      seen.add(key)
      if (first.chain.some((id) => own.has(id))) continue
      const old = second.chain.find((id) => (commits.get(id)?.committedAt ?? 0) <= first.mergedAt)
      if (old !== undefined && !containsFirst(old, first)) pairs.push({ first, second, old })
    }
  }
  return pairs

  function containsFirst(old: string, first: MergedPull): boolean {
    const ofFirst = new Set([...first.chain, first.commit])
    const visited = new Set<string>()
    const open = [old]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (visited.has(id) || (landed.get(id) ?? Number.POSITIVE_INFINITY) < first.index) continue
      if (ofFirst.has(id)) return true
      visited.add(id)
      open.push(...(commits.get(id)?.parents ?? []))
    }
    return false
  }
}

/** Reads the outcome from what was committed, without a merge by a program. */
export function resolutionReader({ at, commits, landed, target }: History) {
  const resolvedFiles = new Map<string, Promise<Set<string>>>()
  const text = (...args: string[]) => textOf(at, args)
  const mergeBase = async (a: string, b: string) => (await text('merge-base', a, b)).split('\n')[0] ?? ''

  return async ({ first, second, old }: OpenPair, shared: readonly string[]): Promise<Outcome> => {
    const later = second.chain.slice(0, second.chain.indexOf(old))
    const merge = later.toReversed().find((id) => {
      const { parents = [] } = commits.get(id) ?? {}
      const from = landed.get(parents[1] ?? '') ?? -1
      return parents.length === 2 && from >= first.index && from < second.index
    })
    if (merge !== undefined) return outcomeOf(merge, first, shared)
    if (second.isMergeCommit && (await hasHunks(second.commit, shared))) return 'resolved'
    if (!second.isMergeCommit && !second.isByGitHub) return null
    const options = ['--stdin', '-r', '--no-commit-id', '--name-only', '-m', '--first-parent', '-z']
    const touched = await textOf(at, ['diff-tree', ...options], later.map((id) => `${id}\n`).join(''))
    const names = new Set(touched.split('\0'))
    return shared.some((path) => names.has(path)) ? null : 'untouched'
  }

  async function outcomeOf(merge: string, first: MergedPull, shared: readonly string[]): Promise<Outcome> {
    const [ours = '', theirs = ''] = commits.get(merge)?.parents ?? []
    const base = await mergeBase(ours, theirs)
    const resolved = await resolvedIn(merge)
    const found = shared.filter((path) => resolved.has(path))
    const isAmbiguous = (paths: readonly string[]) =>
      target
        .slice((landed.get(base) ?? 0) + 1, (landed.get(theirs) ?? 0) + 1)
        .some(({ commit, files }) => commit !== first.commit && paths.some((path) => files.has(path)))
    if (found.length > 0) return isAmbiguous(found) ? null : 'resolved'
    const sides = await readSides([merge, ours, theirs, base], shared)
    if (sides.some(isOneSideWhole)) return null
    if (sides.some(hasLostLines)) return isAmbiguous(shared) ? null : 'resolved'
    return 'untouched'
  }

  /** Of each file, what each commit has. */
  async function readSides(ids: readonly string[], paths: readonly string[]): Promise<string[][]> {
    const blobs = await readBlobs(
      at,
      paths.flatMap((path) => ids.map((id) => `${id}:${path}`)),
    )
    return paths.map((_, index) => ids.map((_, side) => blobs[index * ids.length + side]?.toString() ?? ''))
  }

  async function hasHunks(merge: string, shared: readonly string[]): Promise<boolean> {
    const resolved = await resolvedIn(merge)
    return shared.some((path) => resolved.has(path))
  }

  function resolvedIn(merge: string): Promise<Set<string>> {
    const known = resolvedFiles.get(merge) ?? readResolved(merge)
    resolvedFiles.set(merge, known)
    return known
  }

  /** The files in which a merge commit has a hunk that is neither parent's. */
  async function readResolved(merge: string): Promise<Set<string>> {
    const options = ['--cc', '-U0', '-r', '--no-commit-id', '--no-color', '--no-ext-diff', '--no-textconv', '-M']
    const diff = await text('-c', 'core.quotePath=false', 'diff-tree', ...options, merge)
    const blocks = `\n${diff}`.split(/\ndiff --(?:cc|combined) /).slice(1)
    return new Set(blocks.flatMap((block) => (block.includes('\n@@@') ? (block.split('\n')[0] ?? '') : [])))
  }
}

/** Both sides changed the file, and the merge has one of the two. */
function isOneSideWhole([merged, ours, theirs, base]: readonly string[]): boolean {
  return ours !== base && theirs !== base && ours !== theirs && (merged === ours || merged === theirs)
}

/** The merge lacks lines that one side had added, or has lines that one side had removed: somebody chose. */
function hasLostLines([merged = '', ours = '', theirs = '', base = '']: readonly string[]): boolean {
  const [inMerged, inBase, sides] = [countLines(merged), countLines(base), [ours, theirs].map(countLines)]
  return sides.some((side, index) => {
    const other = sides[1 - index] ?? new Map<string, number>()
    return [...new Set([...side.keys(), ...inBase.keys()])].some((line) => {
      if (line.trim() === '') return false
      const count = (counts: ReadonlyMap<string, number>) => counts.get(line) ?? 0
      const added = count(side) - count(inBase)
      if (added > 0) return added > count(inMerged)
      return added < 0 && count(inMerged) > count(side) + Math.max(0, count(other) - count(inBase))
    })
  })
}

function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of text.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}
