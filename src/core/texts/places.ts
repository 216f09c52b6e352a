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

/** Where the work is, each place once. */
export function headsOf({ scope, scope_changed: changed = [] }: Placed): string[] {
  return [...new Set([...scope.paths.map(headOf), ...changed.map((path) => path.replace(/\/$/, ''))])]
}

/** Whether one path lies below the other, or both are the same. */
export function isBelow(path: string, above: string): boolean {
  return above === '' || path === above || path.startsWith(`${above}/`)
}

/** Whether two records may meet: they share an area, or a place of one lies below a place of the other. */
export function mayMeet(one: Placed, other: Placed): boolean {
  const areas = new Set(one.scope.areas.map((area) => area.toLowerCase()))
  if (other.scope.areas.some((area) => areas.has(area.toLowerCase()))) return true
  const [ours, theirs] = [headsOf(one), headsOf(other)].map((heads) => heads.filter((head) => head !== ''))
  return (ours ?? []).some((a) => (theirs ?? []).some((b) => isBelow(a, b) || isBelow(b, a)))
}
