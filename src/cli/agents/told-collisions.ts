import type { Json } from '../client/json.ts'
import type { CommandContext } from '../command-context.ts'
import { withSession } from '../hooks/hook-state.ts'
import { overlapFacts } from '../hooks/overlap-text.ts'
import { knownCollisions, severitiesOf, withWorst } from '../hooks/told-collisions.ts'
import type { AgentCall } from './agent-event.ts'
import { saveShownNotables, shownNotables } from './shown-notables.ts'

/** Tells the model what this session was not told yet: each collision once, and again when its severity rises. */
export async function tellNews(call: AgentCall, context: CommandContext, overlap: Json | undefined): Promise<void> {
  if (!overlap) return
  const told = call.hook.state.toldCollisions[call.event.sessionId] ?? {}
  const facts = overlapFacts(overlap, [...knownCollisions(severitiesOf(overlap), told), ...shownNotables(call)])
  if (facts.length > 0) await call.addContext(facts)
  await saveTold(call, context, overlap)
}

/** Whether the response only counts a collision that the session does not know more of yet. */
export function hasUndescribedNews({ event, hook }: Pick<AgentCall, 'event' | 'hook'>, overlap: Json): boolean {
  const told = hook.state.toldCollisions[event.sessionId] ?? {}
  return Object.entries(severitiesOf(overlap)).some(([id, severity]) => severity === '' && (told[id] ?? '') === '')
}

/** Saves that the session was told of everything in the response of a check. */
export async function saveTold(
  call: Pick<AgentCall, 'event' | 'hook'>,
  context: CommandContext,
  overlap: Json | undefined,
): Promise<void> {
  const { sessionId } = call.event
  const found = severitiesOf(overlap ?? {})
  if (Object.keys(found).length > 0) {
    await call.hook.save(({ toldCollisions: now }) => ({
      toldCollisions: withSession(now, sessionId, withWorst(now[sessionId] ?? {}, found)),
    }))
  }
  await saveShownNotables(call, context, overlap)
}
