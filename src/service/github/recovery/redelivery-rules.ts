import { z } from 'zod'

const hour = 3_600_000
/** GitHub keeps deliveries for three days (docs/rules.md#lost-deliveries). */
const retentionMs = 72 * hour
const maxAttempts = 5
/** A delivery that times out is listed after later ones, and GitHub's clock may differ from ours. */
const overlapMs = 5 * 60_000

/** A failed delivery attempt. Each attempt has its own id; all attempts for one event share a GUID. */
export const FailedDelivery = z.object({
  id: z.int().positive(),
  guid: z.string().min(1).max(200),
  event: z.string(),
  action: z.string().nullish(),
  delivered_at: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
})
export type FailedDelivery = z.infer<typeof FailedDelivery>

/** The redelivery requests for a GUID: how many there were, and when the last one was. */
export interface RedeliveryRequests {
  attempts: number
  requestedAt: Date
}

/** How far back to list deliveries: to the saved position, at most three days. */
export function listedFrom(listedUntil: Date | null, now: Date): Date {
  const oldest = now.getTime() - retentionMs
  return new Date(listedUntil === null ? oldest : Math.max(oldest, listedUntil.getTime() - overlapMs))
}

/** The newest attempt of each GUID, in the order in which the GUIDs first failed. */
export function lastAttempts(attempts: readonly FailedDelivery[]): FailedDelivery[] {
  const byTime = attempts.toSorted((a, b) => a.delivered_at.getTime() - b.delivered_at.getTime() || a.id - b.id)
  return [...new Map(byTime.map((one) => [one.guid, one])).values()]
}

/** Whether a redelivery may be requested now: at most once an hour, and five times in all. */
export function isDue(requests: RedeliveryRequests | undefined, now: Date): boolean {
  if (requests === undefined) return true
  return requests.attempts < maxAttempts && now.getTime() - requests.requestedAt.getTime() >= hour
}

/** Whether a redelivery may still be requested later. */
export function isOpen(requests: RedeliveryRequests | undefined): boolean {
  return (requests?.attempts ?? 0) < maxAttempts
}

/** Up to when all deliveries are settled. The next listing starts there: at the oldest failure that is open. */
export function settledUntil(attempts: readonly FailedDelivery[], open: ReadonlySet<string>, began: Date): Date {
  const times = attempts.filter(({ guid }) => open.has(guid)).map((one) => one.delivered_at.getTime())
  return new Date(Math.min(began.getTime(), ...times))
}
