import { quoted } from '../../overlap/quote.ts'
import { type Json, textField } from '../client/json.ts'
import { listRecords } from '../client/list-records.ts'
import { plain } from '../plain-text.ts'
import type { AgentCall } from './agent-event.ts'
import { openHookContext, recordWork } from './record-work.ts'
import { saveTold } from './told-collisions.ts'

/** Creates or resumes the work of the branch. Shows its overlaps and the notables. */
export async function startSession(call: AgentCall): Promise<void> {
  const { event, terminal, hook, addContext } = call
  if (event.isSubagent) return
  const context = await openHookContext(call)
  if (!context) return
  const [work, { items: notables }] = await Promise.all([
    recordWork(context, call),
    listRecords(context.api, '/notables', {}, 10),
  ])
  // The service is back: the next edit is checked without waiting for the minute after a failure.
  if (Object.keys(hook.state.failures).length > 0) await hook.save(() => ({ failures: {} }))
  await saveTold(call, context, work.overlap)
  const current = notables.filter((notable) => applies(notable, terminal.now()))
  const lines = [...work.lines, ...current.map(describeNotable)]
  if (lines.length > 0) await addContext(lines)
}

function applies(notable: Json, now: number): boolean {
  const until = textField(notable, 'applies_until')
  return until === undefined || !(Date.parse(until) <= now)
}

function describeNotable(notable: Json): string {
  const text = (key: string) => plain(textField(notable, key) ?? '')
  const [title, summary] = [textField(notable, 'title') ?? '', textField(notable, 'summary') ?? '']
  const url = textField(notable, 'decision_url') ?? ''
  const quotation = `${quoted(title)}${summary === title ? '' : `: ${quoted(summary, 400)}`}${url && ` (${quoted(url, 400)})`}`
  const blocking = notable.blocking === true ? ', blocking' : ''
  return `Headsup notable ${text('id')}${blocking}, ${text('importance')} importance, ${text('category')}: ${quotation}`
}
