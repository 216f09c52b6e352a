import { escapeGlob } from '../../scope/glob/escape.ts'

/** Limits of the service for one scope (service contract): globs, and characters of one. */
export const collapseLimits = { globs: 100, characters: 1024 } as const

interface Place {
  /** From the top, without a slash at the end; the top itself is empty. */
  path: string
  /** Both, where a file gave way to a directory of its name. */
  isFile: boolean
  isDirectory: boolean
  below: Map<string, Place>
}

/**
 * Changed paths as at most `limit` globs that cover all of them: file by file where that fits, else directories are
 * folded into `dir/**`, the deepest first, and of one depth no more than needed. The order of the paths doesn't matter.
 */
export function collapsePaths(paths: readonly string[], limit: number = collapseLimits.globs): string[] {
  if (paths.length === 0) return []
  const top: Place = { path: '', isFile: false, isDirectory: true, below: new Map() }
  for (const path of paths) add(top, path)
  let over = leaves(top).length - limit
  for (const level of levels(top).reverse()) {
    for (const { place, saves } of foldable(level, over)) {
      place.below.clear()
      over -= saves
    }
    if (over <= 0) break
  }
  return [...new Set(leaves(top).map(globOf))].sort(byCodeUnit)
}

function add(top: Place, path: string): void {
  let place = top
  const names = path.split('/').filter((name) => name !== '')
  for (const [index, name] of names.entries()) {
    const isFile = index === names.length - 1 && !path.endsWith('/')
    const below = place.path === '' ? name : `${place.path}/${name}`
    const next = place.below.get(name) ?? { path: below, isFile: false, isDirectory: false, below: new Map() }
    if (isFile) next.isFile = true
    else next.isDirectory = true
    place.below.set(name, next)
    place = next
  }
}

function leaves(place: Place): Place[] {
  if (place.below.size === 0) return [place]
  const itself = place.isFile ? [{ ...place, isDirectory: false, below: new Map<string, Place>() }] : []
  return [...itself, ...[...place.below.values()].flatMap(leaves)]
}

/** The directories, by how deep they lie. */
function levels(top: Place): Place[][] {
  const found: Place[][] = []
  for (let level = [top]; level.length > 0; level = level.flatMap(({ below }) => [...below.values()])) {
    found.push(level.filter(({ below }) => below.size > 0))
  }
  return found
}

interface Candidate {
  place: Place
  saves: number
}

/** All of one depth where all are needed; else the fewest: the largest ones, and at last the smallest that is enough. */
function foldable(level: readonly Place[], over: number): Candidate[] {
  if (over <= 0) return []
  const candidates = level
    .map((place) => ({ place, saves: leaves(place).length - 1 }))
    .filter(({ saves }) => saves > 0)
    .sort((a, b) => b.saves - a.saves || byCodeUnit(a.place.path, b.place.path))
  const chosen: Candidate[] = []
  let rest = over
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

function globOf({ path, isFile, isDirectory }: Place): string {
  if (path === '') return '**'
  const glob = escapeGlob(path)
  if (Array.from(glob).length <= collapseLimits.characters - 3) return isDirectory && !isFile ? `${glob}/**` : glob
  // Longer than a glob may be: the directory above stands in for it.
  const above = path.split('/').slice(0, -1).join('/')
  return globOf({ path: above, isFile: false, isDirectory: true, below: new Map() })
}
