import { fetchActivity, isLiveRecord } from '../client/find-activity.ts'
import type { SavedScope, SavedWork } from '../client/work-state-file.ts'
import type { CommandContext } from '../command-context.ts'
import { Failure } from '../failure.ts'

/** Sends a heartbeat of saved work, with its scope where one is given. Forgets work that has ended. */
export async function sendHeartbeat(
  context: CommandContext,
  work: SavedWork,
  scope: SavedScope | undefined,
): Promise<void> {
  if (work.id === undefined) return
  try {
    const body = { heartbeat: true, ...(scope && { scope }) }
    const activity = await context.api.call('PATCH', `/activity/${work.id}`, body)
    if (isLiveRecord(activity)) return
  } catch (error) {
    const status = error instanceof Failure ? error.status : undefined
    if (status === 403) return
    if (status !== 404) throw error
    // Fails where the whole repository can't be seen: then the activity may still exist.
    await fetchActivity(context, work.id)
  }
  await context.workState?.forget(context.branch, work.id)
}
