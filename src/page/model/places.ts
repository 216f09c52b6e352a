import type { Activity } from '../../activity/schema.ts'
import { parseGlob } from '../../scope/glob/glob.ts'

/** Where a glob begins: its literal segments before the first wildcard. */
export interface Place {
  segments: readonly string[]
  /** True for a single file, false for a directory. */
  isFile: boolean
}

/** How many alternatives of a glob with braces become places. */
const mostAlternatives = 64

/** The places of a glob, one for each alternative of its braces, each once. */
export function placesOfGlob(text: string): Place[] {
  const parsed = parseGlob(text)
  if (!parsed.ok) return []
  const places = new Map<string, Place>()
  for (const { filePath, head } of parsed.glob.patterns.slice(0, mostAlternatives)) {
    const path = filePath ?? head.slice(0, head.lastIndexOf('/') + 1)
    if (!places.has(path)) places.set(path, { segments: segmentsOf(path), isFile: filePath !== null })
  }
  return [...places.values()]
}

const placesOf = new WeakMap<readonly string[], Place[]>()

/** The places of an activity. Cached for each list of globs, since parsing them is slow. */
export function placesOfActivity({ scope: { paths } }: Pick<Activity, 'scope'>): Place[] {
  let places = placesOf.get(paths)
  if (!places) {
    places = paths.flatMap(placesOfGlob)
    placesOf.set(paths, places)
  }
  return places
}

export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** Whether work at this place may concern the path: it is below the path, or covers it. */
export function mayConcern({ segments, isFile }: Place, path: string): boolean {
  const wanted = segmentsOf(path.trim())
  const isSame = wanted.every((segment, index) => index >= segments.length || segments[index] === segment)
  return isSame && (segments.length >= wanted.length || !isFile)
}
