import type { Subject } from './records.ts'
import type { Load } from './send.ts'

const maxActivities = 24

/** Runs an action once on each of the latest activities, concurrently on one instance. */
export function onEachActivity(
  load: Load,
  url: string,
  action: (load: Load, by: string, subject: Subject) => Promise<void>,
): Promise<void>[] {
  const onInstance = { ...load, urls: () => [url] }
  const activities = load.ledger.history.records.filter(({ kind }) => kind === 'activity').slice(-maxActivities)
  return activities.map((record, at) => action(onInstance, `hand-${at}`, { record, branch: '', mergedAt: new Date() }))
}
