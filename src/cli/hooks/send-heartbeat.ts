import { fetchActivity, isLiveRecord } from '../client/find-activity.ts'
import type { SavedWork } from '../client/work-state-file.ts'
import type { CommandContext } from '../command-context.ts'
import { Failure } from '../failure.ts'

/** Sends a heartbeat of saved work, with these fields. Forgets work that has ended. */
export async function sendHeartbeat(context: CommandContext, work: SavedWork, fields: object): Promise<void> {
  if (work.id === undefined) return
  try {
    const activity = await context.api.call('PATCH', `/activity/${work.id}`, { heartbeat: true, ...fields })
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
