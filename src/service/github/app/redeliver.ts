import { RequestError } from '@octokit/request-error'
import type { Probot, ProbotOctokit } from 'probot'
import { z } from 'zod'
import { refusesToken } from '../octokit.ts'

const dayMs = 86_400_000
/** A delivery is listed when it is over, by the time at which it began; and GitHub's clock is not ours. */
const overlapMs = 300_000
const most = { ageMs: 3 * dayMs, tries: 5, pages: 100 }

/** Up to when deliveries were looked at, and how often each that failed was asked for again. */
const State = z.object({ until: z.iso.datetime(), tries: z.record(z.string(), z.int()) })

/**
 * Asks GitHub again for the deliveries since the last look of whose GUID none succeeded, at most five times each. Saves the state
 * for the next look.
 */
export async function redeliver(
  probot: Probot,
  now: Date,
  before: unknown,
  save: (state: z.infer<typeof State>) => Promise<void>,
): Promise<void> {
  const known = State.safeParse(before).data
  const oldest = new Date(now.getTime() - most.ageMs)
  const isPending = Object.keys(known?.tries ?? {}).length > 0
  const since = known && !isPending ? new Date(Math.max(Date.parse(known.until) - overlapMs, oldest.getTime())) : oldest
  const octokit = await probot.auth()
  const failed = await failedDeliveries(octokit, since)
  const tries = Object.fromEntries([...failed.keys()].map((guid) => [guid, known?.tries[guid] ?? 0]))
  const state = { until: now.toISOString(), tries }
  await save(state)
  for (const [guid, delivery_id] of failed) {
    const count = tries[guid] ?? 0
    if (count >= most.tries) continue
    tries[guid] = count + 1
    // Saved before GitHub is asked: whatever happens then, it is not asked for more often.
    await save(state)
    const once = { delivery_id, request: { retries: 0 } }
    await octokit.rest.apps.redeliverWebhookDelivery(once).catch((error: unknown) => {
      // GitHub refuses this one alone: the others are asked for all the same.
      if (!(error instanceof RequestError && error.response) || refusesToken(error)) throw error
    })
  }
}

/** The newest delivery of each GUID of which none succeeded. */
async function failedDeliveries({ paginate, rest }: ProbotOctokit, since: Date): Promise<Map<string, number>> {
  let pages = 0
  const listed = await paginate(rest.apps.listWebhookDeliveries, { per_page: 100 }, ({ data }, done) => {
    const isPast = data.some(({ delivered_at }) => new Date(delivered_at) < since)
    if (isPast || ++pages === most.pages) done()
    return data
  })
  const recent = listed.filter(({ delivered_at }) => new Date(delivered_at) >= since)
  const succeeded = new Set(recent.filter(({ status_code: code }) => code < 400).map(({ guid }) => guid))
  const failed = recent.filter(({ guid }) => !succeeded.has(guid))
  // They are listed newest first.
  return new Map(failed.toReversed().map(({ guid, id }) => [guid, id]))
}
