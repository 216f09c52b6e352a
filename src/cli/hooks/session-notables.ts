import { type Json, textList } from '../client/json.ts'
import type { CommandContext } from '../command-context.ts'
import type { ClaudeCall } from './hook-claude.ts'

/** The notables that match every proposal, such as a freeze, of which this session was told: each is told once. */
export function shownNotables({ event, hook }: ClaudeCall): readonly string[] {
  return hook.state.shown[event.sessionId] ?? []
}

/** Notes down those of which this overlap tells. */
export async function rememberShown(
  call: ClaudeCall,
  { api }: CommandContext,
  overlap: Json | undefined,
): Promise<void> {
  const { event, hook } = call
  const shown = shownNotables(call)
  const others = textList(overlap ?? {}, 'related_notable_ids').filter((id) => !shown.includes(id))
  if (others.length === 0) return
  // A check without a scope finds these notables and nothing else. Where it fails they are told once more.
  const found = await api.call('POST', '/activity/check', {}).catch((): Json => ({}))
  const matchEverything = textList(found, 'related_notable_ids')
  const added = others.filter((id) => matchEverything.includes(id))
  if (added.length === 0) return
  const { [event.sessionId]: _, ...sessions } = hook.state.shown
  await hook.save({ shown: { ...sessions, [event.sessionId]: [...shown, ...added] } })
}
