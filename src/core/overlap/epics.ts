import type { Work } from './work.ts'

/** So many works of members that name an issue make it an epic: to name it too is no sign any more. */
const works = 7

/** The epics among the issues of live work and of a proposal. */
export function epicsIn(all: readonly { work: Work; isStranger?: boolean }[]): ReadonlySet<number> {
  const counts = new Map<number, number>()
  for (const { work, isStranger } of all) {
    if (isStranger) continue
    for (const issue of work.issues) counts.set(issue, (counts.get(issue) ?? 0) + 1)
  }
  return new Set([...counts].flatMap(([issue, count]) => (count >= works ? [issue] : [])))
}
