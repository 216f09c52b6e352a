import { z } from 'zod'

const hour = 3_600_000
/** GitHub keeps deliveries for three days (docs/rules.md#lost-deliveries). */
const keptMs = 72 * hour
const mostAttempts = 5
/** A delivery that times out is listed after others that began later, and GitHub's clock is not ours. */
const overlapMs = 5 * 60_000

/** One try of GitHub's that failed; every try has an id of its own, all those of an event one GUID. */
export const FailedDelivery = z.object({
  id: z.int().positive(),
  guid: z.string().min(1).max(200),
  event: z.string(),
  action: z.string().nullish(),
  delivered_at: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
})
export type FailedDelivery = z.infer<typeof FailedDelivery>

/** How often GitHub was asked for a GUID, and when it was last. */
export interface RedeliveryRequests {
  attempts: number
  requestedAt: Date
}

/** How far back to list: to the last one seen, and at most three days. */
export function listedFrom(seenUntil: Date | null, now: Date): Date {
  const oldest = now.getTime() - keptMs
  return new Date(seenUntil === null ? oldest : Math.max(oldest, seenUntil.getTime() - overlapMs))
}

/** The newest try of each GUID, and the GUIDs in the order in which they first failed. */
export function lastTries(tries: readonly FailedDelivery[]): FailedDelivery[] {
  const byTime = tries.toSorted((a, b) => a.delivered_at.getTime() - b.delivered_at.getTime() || a.id - b.id)
  return [...new Map(byTime.map((one) => [one.guid, one])).values()]
}

/** Whether GitHub may be asked now: at most once an hour and five times each. */
export function isDue(asked: RedeliveryRequests | undefined, now: Date): boolean {
  if (asked === undefined) return true
  return asked.attempts < mostAttempts && now.getTime() - asked.requestedAt.getTime() >= hour
}

/** Whether GitHub may have to be asked later. */
export function isOpen(asked: RedeliveryRequests | undefined): boolean {
  return (asked?.attempts ?? 0) < mostAttempts
}

/** Up to where everything is settled: the next listing goes back to the oldest failure that is not. */
export function settledUntil(tries: readonly FailedDelivery[], open: ReadonlySet<string>, began: Date): Date {
  const times = tries.filter(({ guid }) => open.has(guid)).map((one) => one.delivered_at.getTime())
  return new Date(Math.min(began.getTime(), ...times))
}
