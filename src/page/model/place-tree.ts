import type { Place } from './places.ts'

/** A directory or a file where somebody is at work. */
export interface PlaceNode {
  /** The segments below the parent, `src/auth/`. */
  name: string
  /** From the top of the repository. A directory ends with a slash. Empty: the whole repository. */
  path: string
  /** How many activities are at work here and below. */
  count: number
  /** How many pairs collide here and below. */
  collisions: number
  children: readonly PlaceNode[]
}

interface Work {
  id: string
  places: readonly Place[]
}

interface Branch {
  name: string
  ids: Set<string>
  collisions: number
  /** Whether some work is exactly here. */
  isNamed: boolean
  children: Map<string, Branch>
}

function newBranch(name: string): Branch {
  return { name, ids: new Set(), collisions: 0, isNamed: false, children: new Map() }
}

/** The file, or the directory, in which two activities collide. */
interface PlacedCollision {
  place: Place
  /** The ids of both activities. */
  ids: readonly string[]
}

/** The tree of all places with work, and of the places where work collides. */
export function placeTree(work: readonly Work[], collisions: readonly PlacedCollision[]): PlaceNode {
  const root = newBranch('')
  for (const { id, places } of work) for (const place of places) add(root, id, place)
  const known = new Set(work.map(({ id }) => id))
  for (const { place, ids } of collisions) {
    addCollision(root, {
      place,
      ids: ids.filter((id) => known.has(id)),
    })
  }
  return toNode(root, '')
}

function add(root: Branch, id: string, { segments, isFile }: Place): void {
  let branch = root
  branch.ids.add(id)
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1
    branch = childOf(branch, isLast && isFile ? segment : `${segment}/`)
    branch.ids.add(id)
  }
  branch.isNamed = true
}

/** The child of this name. A directory's name ends with a slash. */
function childOf({ children }: Branch, name: string): Branch {
  const known = children.get(name)
  if (known) return known
  const made = newBranch(name)
  children.set(name, made)
  return made
}

/**
 * Counts a collision at its place and at the places above. Both activities count as work there, whatever their globs.
 */
function addCollision(root: Branch, { place: { segments, isFile }, ids }: PlacedCollision): void {
  root.collisions++
  if (ids.length === 0) return
  for (const id of ids) root.ids.add(id)
  let branch = root
  for (const [index, segment] of segments.entries()) {
    const directory = `${segment}/`
    const isLast = index === segments.length - 1
    branch = childOf(branch, isFile && isLast && !branch.children.has(directory) ? segment : directory)
    branch.collisions++
    for (const id of ids) branch.ids.add(id)
  }
  branch.isNamed = true
}

function toNode(branch: Branch, parentPath: string): PlaceNode {
  let { name } = branch
  let inner = branch
  // A chain of single directories is one line.
  while (inner.name !== '' && !inner.isNamed && inner.children.size === 1) {
    const [only] = inner.children.values()
    if (!only) break
    name += only.name
    inner = only
  }
  const path = parentPath + name
  const children = [...inner.children.values()].map((child) => toNode(child, path)).sort(byWeight)
  return { name, path, count: branch.ids.size, collisions: branch.collisions, children }
}

/** Collisions first, then where most are at work. */
function byWeight(a: PlaceNode, b: PlaceNode): number {
  return b.collisions - a.collisions || b.count - a.count || (a.name < b.name ? -1 : 1)
}

/** The children to show at once, and those to fold: places with one activity and no collision. */
export function foldQuiet(
  children: readonly PlaceNode[],
  most: number,
): { shown: readonly PlaceNode[]; folded: readonly PlaceNode[] } {
  const busy = children.filter(({ count, collisions }) => count > 1 || collisions > 0)
  const shown = children.slice(0, Math.max(Math.min(busy.length, 4 * most), most))
  const folded = children.slice(shown.length)
  // One folded line would take as much room as the line that unfolds it.
  return folded.length === 1 ? { shown: children, folded: [] } : { shown, folded }
}
