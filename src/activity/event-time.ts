/**
 * The tolerance between GitHub's clock and ours, and between two events of one moment, in ms
 * (docs/rules.md#late-events).
 */
export const tolerance = 30_000

/** Longer than GitHub redelivers. An older timestamp is not the time of this event (docs/rules.md#deleted-branches). */
const longestRedelivery = 8 * 86_400_000

/**
 * Work on a branch that was created after this instant is not what an event speaks of, which may come days late: the
 * branch was made anew. Null where the event's time is not known, and bounds nothing.
 */
export function latestCreatedAt(eventAt: Date | null, now: Date): Date | null {
  if (eventAt === null || now.getTime() - eventAt.getTime() > longestRedelivery) return null
  return new Date(eventAt.getTime() + tolerance)
}
