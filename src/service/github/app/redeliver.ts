import type { Probot } from 'probot'
import { z } from 'zod'

const dayMs = 86_400_000
const most = { ageMs: 3 * dayMs, tries: 5, pages: 100 }

/** Up to when deliveries were looked at, and how often each that failed was asked for again. */
const State = z.object({ until: z.iso.datetime(), tries: z.record(z.string(), z.int()) })

/**
 * Asks GitHub again for the deliveries since the last look of whose GUID none succeeded, at most five times each. Returns the state
 * for the next look.
 */
export async function redeliver(probot: Probot, state: unknown, now: Date): Promise<object> {
  const before = State.safeParse(state).data
  const oldest = new Date(now.getTime() - most.ageMs)
  const tries = before?.tries ?? {}
  const isPending = Object.keys(tries).length > 0
  const since = before && !isPending ? new Date(Math.max(Date.parse(before.until), oldest.getTime())) : oldest
  const octokit = await probot.auth()
  const { apps } = octokit.rest
  let pages = 0
  const deliveries = await octokit.paginate(apps.listWebhookDeliveries, { per_page: 100 }, ({ data }, done) => {
    const isPast = data.some(({ delivered_at }) => new Date(delivered_at) < since)
    if (isPast || ++pages === most.pages) done()
    return data
  })
  const recent = deliveries.filter(({ delivered_at }) => new Date(delivered_at) >= since)
  const succeeded = new Set(recent.filter(({ status_code: code }) => code < 400).map(({ guid }) => guid))
  // The newest of each: they are listed newest first.
  const failed = new Map(
    recent
      .filter(({ guid }) => !succeeded.has(guid))
      .toReversed()
      .map((one) => [one.guid, one.id]),
  )
  const left: Record<string, number> = {}
  for (const [guid, delivery_id] of failed) {
    const count = tries[guid] ?? 0
    left[guid] = Math.min(count + 1, most.tries)
    if (count < most.tries) await apps.redeliverWebhookDelivery({ delivery_id })
  }
  return { until: now.toISOString(), tries: left }
}
