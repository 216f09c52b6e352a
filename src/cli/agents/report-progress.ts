import { textList } from '../client/json.ts'
import type { SavedWork } from '../client/work/work-state-file.ts'
import { basesOf, branchFields, type CommandContext, savedWork } from '../command-context.ts'
import { type WorkFields, workFields } from '../commands/changes.ts'
import type { BaseBranch } from '../git/base-branch.ts'
import { isRecent } from '../hooks/hook-state.ts'
import { findOverlap, overlapIn } from '../hooks/overlap-text.ts'
import { sendHeartbeat, sendWithOverlap } from '../hooks/send-heartbeat.ts'
import { collisionsIn } from '../hooks/told-collisions.ts'
import type { AgentCall } from './agent-event.ts'
import { openHookContext, recordWork } from './record-work.ts'
import { digest, toSentWork } from './sent-work.ts'
import { tellNews } from './told-in-session.ts'

/**
 * Sends a heartbeat, with the scope and the changes where they differ from those sent last, at most once a minute.
 * Reports collisions with work that began meanwhile to the model.
 */
export async function reportProgress(call: AgentCall): Promise<void> {
  const { terminal, hook } = call
  if (isRecent(hook.state.lastHeartbeat, terminal.now())) return checkRecord(call)
  await hook.save(() => ({ lastHeartbeat: terminal.now() }))
  const context = await openHookContext(call)
  if (!context) return
  const work = await savedWork(context)
  // The branch was created during the session.
  if (!work) return tellNews(call, (await recordWork(context, call)).overlap)
  if (work.id === undefined) return
  const { base } = await basesOf(context, work)
  const fields = workFields(await context.readChanges(base), work.declared)
  const sentProgress = digest([work.id, fields])
  await sendHeartbeat(context, work, sentProgress === hook.state.sentProgress ? {} : fields)
  const sentWork = toSentWork(work.id, fields, terminal.now())
  await hook.save(() => ({ sentProgress, sentWork }))
  await tellNews(call, await findWithMerges(context, work, base, fields))
}

function findWithMerges(context: CommandContext, work: SavedWork, base: BaseBranch | null, fields: WorkFields) {
  return findOverlap(context, { ...branchFields(context.branch, base), ...fields }, work, { fetches: true })
}

/**
 * Of two sessions that begin on the same lines, only the later one finds the other's record with its edit. So for a minute
 * after an edit was recorded, each tool asks what collides with the record, by one request and without reading the changes.
 * Only where that differs from the last time, or other work is nearby, the changes are read and merges tried, as other hooks do.
 * What the record alone knows is told by lines: the edit may not have been made yet.
 */
async function checkRecord(call: AgentCall): Promise<void> {
  const { terminal, hook } = call
  if (!isRecent(hook.state.recordedAt, terminal.now())) return
  const context = await openHookContext(call)
  const work = context && (await savedWork(context))
  if (!work) return
  const byRecord = await sendWithOverlap(context, work, {})
  if (!byRecord) return
  const near = [collisionsIn(byRecord), textList(byRecord, 'nearby_activity_ids').sort()]
  const nearRecord = digest([call.event.sessionId, near])
  if (!near.some(({ length }) => length > 0) || nearRecord === hook.state.nearRecord) return
  const { base } = await basesOf(context, work)
  const fields = workFields(await context.readChanges(base), work.declared)
  const found = await findWithMerges(context, work, base, fields)
  await tellNews(call, found ?? (await overlapIn(context, byRecord, { merges: {} })))
  await hook.save(() => ({ nearRecord }))
}
