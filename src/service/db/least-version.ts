import { version } from '../lib/version.ts'

/**
 * Reads the least version of Headsup that may run on the database. A migration that an older program can't run on raises it
 * (docs/upgrading.md#rules-for-a-migration).
 */
export const leastVersionSql = `select value #>> '{}' as version from service_facts where name = 'least_version'`

/** Why this program may not run on a database that needs this version; undefined where it may. */
export function tooOldReason(least: string | undefined, own = version): string | undefined {
  if (least === undefined || compareVersions(own, least) >= 0) return undefined
  return `The database needs Headsup ${least} or newer, and this is ${own}: start a newer version, or restore a backup of that time.`
}

/** Compares by the three numbers. What follows a hyphen does not count. */
function compareVersions(a: string, b: string): number {
  const [one, other] = [a, b].map((text) => text.split('-', 1)[0]?.split('.').map(Number) ?? [])
  const differences = [0, 1, 2].map((at) => (one?.[at] ?? 0) - (other?.[at] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}
