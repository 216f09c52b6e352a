/** Whether a notable with this scope is about the whole repository. The areas may also be area keys. */
export function isAboutRepository(areas: readonly string[], paths: readonly string[]): boolean {
  return areas.length === 0 && paths.length === 0
}
