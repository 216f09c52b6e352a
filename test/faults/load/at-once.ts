import type { Load } from './ask.ts'
import type { Subject } from './records.ts'

const most = 24

/** One attempt for each of the load's latest activities, all at the same time, and all at one instance. */
export function atOnce(
  load: Load,
  url: string,
  verb: (load: Load, by: string, subject: Subject) => Promise<void>,
): Promise<void>[] {
  const there = { ...load, urls: () => [url] }
  const activities = load.ledger.history.records.filter(({ kind }) => kind === 'activity').slice(-most)
  return activities.map((record, at) => verb(there, `hand-${at}`, { record, branch: '', mergedAt: new Date() }))
}
