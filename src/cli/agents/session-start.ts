import { type Json, textField } from '../client/json.ts'
import { listRecords } from '../client/work/list-records.ts'
import type { AgentCall } from './agent-event.ts'
import { openHookContext, recordWork } from './record-work.ts'
import { nothingSent } from './sent-work.ts'
import { sessionBriefing, toldOverlap } from './session-briefing.ts'
import { saveTold } from './told-in-session.ts'

/** Creates or resumes the work of the branch. Gives the model a briefing. */
export async function startSession(call: AgentCall): Promise<void> {
  const { event, terminal, hook, addContext } = call
  if (event.isSubagent) return
  const context = await openHookContext(call)
  if (!context) return
  const [{ overlap, id, sentences }, notables, activities] = await Promise.all([
    recordWork(context, call),
    listRecords(context.api, '/notables', {}, 100),
    listRecords(context.api, '/activity', {}, 100),
  ])
  // The service is back: the next edit is checked without waiting for the minute after a failure. The record holds what is
  // changed now, and no longer what earlier edits were about to change.
  await hook.save(() => ({ failures: {}, sentWork: nothingSent }))
  const now = terminal.now()
  const { lines, told } = sessionBriefing({
    notables: notables.items.filter((notable) => applies(notable, now)),
    overlap,
    activities: { ...activities, items: activities.items.filter((activity) => textField(activity, 'id') !== id) },
    ownWork: sentences,
    now,
  })
  await saveTold(call, toldOverlap(overlap, told))
  if (lines.length > 0) await addContext(lines)
}

function applies(notable: Json, now: number): boolean {
  const until = textField(notable, 'applies_until')
  return until === undefined || !(Date.parse(until) <= now)
}
