/**
 * How long the client wants to wait at most, in ms, by the `wait` preference of the `Prefer` header (RFC 7240). Undefined
 * without a valid one. Of several the first counts.
 */
export function preferredWaitMs(prefer: string | string[] | undefined): number | undefined {
  const preferences = [prefer ?? []].flat().join(',').split(',')
  for (const preference of preferences) {
    const seconds = /^\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:;.*)?$/i.exec(preference)?.[1]
    if (seconds !== undefined) return Number(seconds) * 1_000
  }
  return undefined
}
