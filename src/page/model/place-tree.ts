import { type Place, segmentsOf } from './places.ts'

/** A directory or a file where somebody is at work. */
export interface PlaceNode {
  /** What to show: the segments since the parent, `src/auth/`. */
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
  isFile: boolean
  ids: Set<string>
  collisions: number
  /** Whether some work is exactly here. */
  isNamed: boolean
  children: Map<string, Branch>
}

function newBranch(name: string, isFile = false): Branch {
  return { name, isFile, ids: new Set(), collisions: 0, isNamed: false, children: new Map() }
}

/** The tree of all places where activities are at work. `collisionPaths` are the example paths of the pairs that collide. */
export function placeTree(work: readonly Work[], collisionPaths: readonly string[]): PlaceNode {
  const root = newBranch('')
  for (const { id, places } of work) for (const place of places) add(root, id, place)
  for (const path of collisionPaths) addCollision(root, segmentsOf(path))
  return toNode(root, '')
}

function add(root: Branch, id: string, { segments, isFile }: Place): void {
  let branch = root
  branch.ids.add(id)
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1
    const key = isLast && isFile ? segment : `${segment}/`
    let child = branch.children.get(key)
    if (!child) {
      child = newBranch(key, isLast && isFile)
      branch.children.set(key, child)
    }
    child.ids.add(id)
    branch = child
  }
  branch.isNamed = true
}

/** Counts a collision at every known place on the way to its path. */
function addCollision(root: Branch, segments: readonly string[]): void {
  let branch: Branch | undefined = root
  for (const segment of ['', ...segments]) {
    if (segment !== '') branch = branch.children.get(`${segment}/`) ?? branch.children.get(segment)
    if (!branch) return
    branch.collisions++
  }
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

/** The children to show at once, and those to fold: where one activity is at work and nothing collides. */
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
