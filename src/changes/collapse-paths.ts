import { escapeGlob } from '../scope/glob/escape.ts'

/** The service's limits for one scope: the number of globs, and the characters of a glob. */
export const collapseLimits = { globs: 100, characters: 1024 } as const

interface PathNode {
  /** From the top, without a trailing slash. Empty for the top itself. */
  path: string
  /** Both are true where a directory has replaced a file of the same name. */
  isFile: boolean
  isDirectory: boolean
  children: Map<string, PathNode>
}

/**
 * Covers changed paths with at most `limit` globs. Where there are more paths, directories are collapsed into `dir/**`,
 * the deepest first, and no more than needed. The order of the paths doesn't matter.
 */
export function collapsePaths(paths: readonly string[], limit: number = collapseLimits.globs): string[] {
  if (paths.length === 0) return []
  const top: PathNode = { path: '', isFile: false, isDirectory: true, children: new Map() }
  for (const path of paths) add(top, path)
  let excess = leaves(top).length - limit
  for (const level of levels(top).reverse()) {
    for (const { node, saves } of directoriesToCollapse(level, excess)) {
      node.children.clear()
      excess -= saves
    }
    if (excess <= 0) break
  }
  return [...new Set(leaves(top).map(globOf))].sort(byCodeUnit)
}

function add(top: PathNode, path: string): void {
  let node = top
  const names = path.split('/').filter((name) => name !== '')
  for (const [index, name] of names.entries()) {
    const isFile = index === names.length - 1 && !path.endsWith('/')
    const childPath = node.path === '' ? name : `${node.path}/${name}`
    const next = node.children.get(name) ?? { path: childPath, isFile: false, isDirectory: false, children: new Map() }
    if (isFile) next.isFile = true
    else next.isDirectory = true
    node.children.set(name, next)
    node = next
  }
}

function leaves(node: PathNode): PathNode[] {
  if (node.children.size === 0) return [node]
  const itself = node.isFile ? [{ ...node, isDirectory: false, children: new Map<string, PathNode>() }] : []
  return [...itself, ...[...node.children.values()].flatMap(leaves)]
}

/** The directories by depth, the top first. */
function levels(top: PathNode): PathNode[][] {
  const found: PathNode[][] = []
  for (let level = [top]; level.length > 0; level = level.flatMap(({ children }) => [...children.values()])) {
    found.push(level.filter(({ children }) => children.size > 0))
  }
  return found
}

interface Candidate {
  node: PathNode
  saves: number
}

/** The directories of one depth to collapse, as few as possible: the largest first, and last the smallest that is enough. */
function directoriesToCollapse(level: readonly PathNode[], excess: number): Candidate[] {
  if (excess <= 0) return []
  const candidates = level
    .map((node) => ({ node, saves: leaves(node).length - 1 }))
    .filter(({ saves }) => saves > 0)
    .sort((a, b) => b.saves - a.saves || byCodeUnit(a.node.path, b.node.path))
  const chosen: Candidate[] = []
  let rest = excess
  for (const [index, candidate] of candidates.entries()) {
    const smallest = candidates.slice(index).findLast(({ saves }) => saves >= rest)
    chosen.push(smallest ?? candidate)
    rest -= (smallest ?? candidate).saves
    if (rest <= 0) break
  }
  return chosen
}

function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function globOf({ path, isFile, isDirectory }: PathNode): string {
  if (path === '') return '**'
  const glob = escapeGlob(path)
  if (Array.from(glob).length <= collapseLimits.characters - 3) return isDirectory && !isFile ? `${glob}/**` : glob
  // The glob would be too long, so the parent directory covers the path.
  const parent = path.split('/').slice(0, -1).join('/')
  return globOf({ path: parent, isFile: false, isDirectory: true, children: new Map() })
}
