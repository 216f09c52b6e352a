import { type Json, textField, textList } from '../client/json.ts'
import type { CommandContext } from '../command-context.ts'
import { withSession } from '../hooks/hook-state.ts'
import type { AgentCall } from './agent-event.ts'

type SessionCall = Pick<AgentCall, 'event' | 'hook'>

/** Ids of the notables about the whole repository, such as a freeze, that this session was shown. Each is shown once. */
export function shownNotables({ event, hook }: SessionCall): readonly string[] {
  return hook.state.shownNotables[event.sessionId] ?? []
}

/** Saves which notables about the whole repository were shown: those that the reason names, which is not all of many. */
export async function saveShownNotables(
  call: SessionCall,
  { api }: CommandContext,
  overlap: Json | undefined,
): Promise<void> {
  const { event, hook } = call
  const shown = shownNotables(call)
  const reason = textField(overlap ?? {}, 'reason') ?? ''
  const related = textList(overlap ?? {}, 'related_notable_ids')
  const others = related.filter((id) => !shown.includes(id) && reason.includes(id))
  if (others.length === 0) return
  // A check without a scope finds exactly these notables. When it fails, they are shown once more.
  const check = await api.call('POST', '/activity/check', {}).catch((): Json => ({}))
  const matchEverything = textList(check, 'related_notable_ids')
  const added = others.filter((id) => matchEverything.includes(id))
  if (added.length === 0) return
  const { sessionId } = event
  await hook.save(({ shownNotables: now }) => ({
    shownNotables: withSession(now, sessionId, [...new Set([...(now[sessionId] ?? []), ...added])]),
  }))
}
