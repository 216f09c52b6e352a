import { areaKey } from '../../scope/area-key.ts'

/** What is needed of a record to say where it is. */
export interface Placed {
  scope: { paths: readonly string[]; areas: readonly string[] }
  /** The directories of the changed files, where the service sends them. */
  scope_changed?: readonly string[] | undefined
}

/** The directory, or the file, where a glob begins: all before its first wildcard. Empty: the whole repository. */
export function headOf(glob: string): string {
  const end = glob.search(/[*?]|(?<!\\)[[{]/)
  const head = end === -1 ? glob : glob.slice(0, Math.max(glob.lastIndexOf('/', end), 0))
  return head.replace(/\\(.)/gu, '$1').replace(/\/$/, '')
}

/** The places of a record, each once. */
export function headsOf({ scope, scope_changed: changed = [] }: Placed): string[] {
  return [...new Set([...scope.paths.map(headOf), ...changed.map((path) => path.replace(/\/$/, ''))])]
}

/** Whether one path lies below the other, or both are the same. */
export function isBelow(path: string, above: string): boolean {
  return above === '' || path === above || path.startsWith(`${above}/`)
}

/** Returns a function that says whether a record may collide with one of these: both have an area, or a place of one is below one of the other. */
export function meetsAny(ours: readonly Placed[]): (other: Placed) => boolean {
  const areas = new Set(ours.flatMap(({ scope }) => scope.areas.map(areaKey)))
  const heads = new Set(ours.flatMap(headsOf))
  const above = new Set([...heads].flatMap(upTo))
  return (other) =>
    other.scope.areas.some((area) => areas.has(areaKey(area))) ||
    (above.size > 0 && headsOf(other).some((head) => above.has(head) || upTo(head).some((path) => heads.has(path))))
}

/** The directories above a path, the topmost first, without the top of the repository. */
export function directoriesAbove(path: string): string[] {
  return upTo(path).slice(0, -1)
}

/** The path and all directories above it, without the top of the repository. */
function upTo(path: string): string[] {
  const names = path.split('/')
  return names.map((_, index) => names.slice(0, index + 1).join('/')).filter((one) => one !== '')
}
