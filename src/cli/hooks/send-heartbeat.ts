import { type Json, record } from '../client/json.ts'
import { fetchActivity, isLiveRecord } from '../client/work/find-activity.ts'
import type { SavedWork } from '../client/work/work-state-file.ts'
import type { CommandContext } from '../command-context.ts'
import { Failure } from '../failure.ts'

/** Sends a heartbeat of saved work, with these fields. Forgets work that has ended. */
export async function sendHeartbeat(context: CommandContext, work: SavedWork, fields: object): Promise<void> {
  await patchWork(context, work, '', fields)
}

/**
 * Sends a heartbeat with these fields and returns the overlap from the same request. Undefined where the work has ended
 * or may not be changed.
 */
export async function sendWithOverlap(
  context: CommandContext,
  work: SavedWork,
  fields: object,
): Promise<Json | undefined> {
  const response = await patchWork(context, work, '?overlap=true', fields)
  return response && record(response, 'overlap')
}

async function patchWork(
  context: CommandContext,
  work: SavedWork,
  query: '' | '?overlap=true',
  fields: object,
): Promise<Json | undefined> {
  if (work.id === undefined) return undefined
  try {
    const response = await context.api.call('PATCH', `/activity/${work.id}${query}`, { heartbeat: true, ...fields })
    if (isLiveRecord(query === '' ? response : record(response, 'activity'))) return response
  } catch (error) {
    const status = error instanceof Failure ? error.status : undefined
    if (status === 403) return undefined
    if (status !== 404) throw error
    // Fails where the whole repository can't be seen: then the activity may still exist.
    await fetchActivity(context, work.id)
  }
  await context.workState?.forget(context.branch, work.id)
  return undefined
}
