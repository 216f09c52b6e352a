import { escapeGlob } from '../scope/glob/escape.ts'
import { longestGlob, scopePathLimits } from '../scope/glob/limits.ts'

export interface CollapseLimits {
  globs: number
  /** In UTF-8 bytes, all globs together. */
  bytes: number
}

/** A path that becomes a glob. */
interface Entry {
  /** The path with a final slash, so that what lies below a path follows it in order. Empty for the top. */
  key: string
  /** Both are true where a directory has replaced a file of the same name. */
  isFile: boolean
  isDirectory: boolean
}

/**
 * Covers changed paths with globs within the limits, by default those of a scope. Where there are more paths, directories are
 * collapsed into `dir/**`, the deepest first, and no more than needed. The order of the paths doesn't matter.
 */
export function collapsePaths(
  paths: readonly string[],
  { globs, bytes }: CollapseLimits = { globs: scopePathLimits.globs, bytes: scopePathLimits.bytes },
): string[] {
  let entries = sortedEntries(paths)
  if (entries.length > globs) entries = collapse(entries, globs, () => 1)
  if (bytes < Number.POSITIVE_INFINITY) entries = collapse(entries, bytes, bytesOf)
  return [...new Set(entries.map(globOf))].sort(byCodeUnit)
}

function sortedEntries(paths: readonly string[]): Entry[] {
  const byKey = new Map<string, Entry>()
  for (const path of paths) {
    const names = path.split('/').filter((name) => name !== '')
    const key = names.length === 0 ? '' : `${names.join('/')}/`
    const known = byKey.get(key)
    const isDirectory = path === '' || path.endsWith('/')
    byKey.set(key, {
      key,
      isFile: known?.isFile === true || !isDirectory,
      isDirectory: known?.isDirectory === true || isDirectory,
    })
  }
  return [...byKey.values()].sort((a, b) => byCodeUnit(a.key, b.key))
}

/** A run of neighbours with one directory in common, and the entry that may replace them. */
interface Group {
  from: number
  to: number
  directory: Entry
  /** By how much collapsing it reduces the total weight. */
  saves: number
}

const top: Entry = { key: '', isFile: false, isDirectory: true }

/** Collapses directories until the entries together weigh no more than the limit. */
function collapse(all: readonly Entry[], limit: number, weightOf: (entry: Entry) => number): Entry[] {
  let entries = [...all]
  /** The length of the directory that each entry has in common with the next one, and its depth. */
  let common = entries.slice(1).map((next, at) => commonDirectory(entries[at]?.key ?? '', next.key))
  let excess = entries.reduce((sum, entry) => sum + weightOf(entry), -limit)
  const depths = [...new Set(common.map(({ depth }) => depth))].sort((a, b) => b - a)
  for (const depth of depths) {
    if (excess <= 0) break
    const chosen = groupsToCollapse(groupsAt(depth, entries, common, weightOf), excess)
    const starts = new Map(chosen.map((group) => [group.from, group]))
    const [left, leftCommon]: [Entry[], typeof common] = [[], []]
    for (let at = 0; at < entries.length; at++) {
      const group = starts.get(at)
      const entry = group?.directory ?? entries[at]
      if (group) at = group.to
      if (entry) left.push(entry)
      const next = common[at]
      if (next) leftCommon.push(next)
      excess -= group?.saves ?? 0
    }
    entries = left
    common = leftCommon
  }
  return excess > 0 ? [top] : entries
}

function commonDirectory(a: string, b: string): { length: number; depth: number } {
  let [length, depth] = [0, 0]
  for (let at = 0; at < a.length && a.charCodeAt(at) === b.charCodeAt(at); at++) {
    if (a[at] !== '/') continue
    length = at + 1
    depth++
  }
  return { length, depth }
}

/** The directories of this depth with several entries. Deeper ones are collapsed already. */
function groupsAt(
  depth: number,
  entries: readonly Entry[],
  common: readonly { length: number; depth: number }[],
  weightOf: (entry: Entry) => number,
): Group[] {
  const groups: Group[] = []
  for (let from = 0; from < common.length; from++) {
    let to = from
    let length = Number.POSITIVE_INFINITY
    for (let next = common[to]; next && next.depth >= depth; next = common[++to]) length = Math.min(length, next.length)
    if (to === from) continue
    const members = entries.slice(from, to + 1)
    const key = entries[from]?.key.slice(0, length) ?? ''
    const isFile = members.some((member) => member.key === key && member.isFile)
    const directory = { key, isFile, isDirectory: true }
    const saves = members.reduce((sum, member) => sum + weightOf(member), -weightOf(directory))
    if (saves > 0) groups.push({ from, to, directory, saves })
    from = to
  }
  return groups
}

/** The fewest groups that remove the excess: the largest first; the last one is the smallest that is enough. */
function groupsToCollapse(groups: Group[], excess: number): Group[] {
  const sorted = groups.sort((a, b) => b.saves - a.saves || byCodeUnit(pathOf(a.directory), pathOf(b.directory)))
  const chosen: Group[] = []
  let rest = excess
  for (const [index, group] of sorted.entries()) {
    if (rest <= 0) break
    const smallest = group.saves >= rest ? sorted.findLast(({ saves }, at) => at >= index && saves >= rest) : undefined
    chosen.push(smallest ?? group)
    rest -= (smallest ?? group).saves
  }
  return chosen
}

function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function pathOf({ key }: Pick<Entry, 'key'>): string {
  return key.slice(0, -1)
}

function bytesOf(entry: Entry): number {
  return Buffer.byteLength(globOf(entry))
}

function globOf({ key, isFile, isDirectory }: Entry): string {
  const fitting = fittingDirectory(key)
  if (fitting === '') return '**'
  const glob = escapeGlob(pathOf({ key: fitting }))
  // Where the glob would be too long, a directory above covers the path.
  return fitting === key && (isFile || !isDirectory) ? glob : `${glob}/**`
}

/** The path, or the directory nearest above it whose glob is not too long. */
function fittingDirectory(key: string): string {
  if (key.length <= longestGlob / 2) return key
  let [length, end] = [-1, 0]
  for (let next = key.indexOf('/'); next !== -1; next = key.indexOf('/', end)) {
    length += 1 + Array.from(escapeGlob(key.slice(end, next))).length
    if (length > longestGlob - 3) break
    end = next + 1
  }
  return key.slice(0, end)
}
