/** By how much times may differ that belong together: those of GitHub's clock and ours, and of two events at once (docs/rules.md#late-events). */
export const eventToleranceMs = 30_000

/** Longer than GitHub redelivers, in ms. An older timestamp is not the time of this event. */
const longestRedelivery = 8 * 86_400_000

/**
 * The latest `created_at` of the activities that an event of a branch concerns. Events can arrive days late; activities
 * created after the event belong to a new branch of the same name (docs/rules.md#late-events). Null if the time of the
 * event is not known: then it concerns all. The SQL is `createdNoLaterThan` in branch-activities.sql.ts.
 */
export function latestCreatedAt(eventAt: Date | null, now: Date): Date | null {
  if (eventAt === null || now.getTime() - eventAt.getTime() > longestRedelivery) return null
  return new Date(eventAt.getTime() + eventToleranceMs)
}

/** The time of an event of GitHub, whose clock may be ahead of ours; now if the event does not say it. */
export function timeOfEvent(eventAt: Date | null, now: Date): Date {
  return eventAt === null || eventAt > now ? now : eventAt
}
