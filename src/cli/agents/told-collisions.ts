import type { Json } from '../client/json.ts'
import type { CommandContext } from '../command-context.ts'
import { withSession } from '../hooks/hook-state.ts'
import { overlapFacts } from '../hooks/overlap-text.ts'
import { collisionsIn, knownCollisions, type Severities, withWorst } from '../hooks/told-collisions.ts'
import type { AgentCall } from './agent-event.ts'
import { saveShownNotables, shownNotables } from './shown-notables.ts'

/** Reports to the model the collisions that are new to this session: each once, and again when its severity rises. */
export async function tellNews(call: AgentCall, context: CommandContext, overlap: Json | undefined): Promise<void> {
  if (!overlap) return
  const known = knownCollisions(collisionsIn(overlap), toldTo(call))
  const facts = overlapFacts(overlap, [...known, ...shownNotables(call)])
  if (facts.length > 0) await call.addContext(facts)
  await saveTold(call, context, overlap)
}

type SessionCall = Pick<AgentCall, 'event' | 'hook'>

function toldTo({ event, hook }: SessionCall): Severities {
  return hook.state.toldCollisions[event.sessionId] ?? {}
}

/** Whether the response only counts a collision that was not described to the session before. */
export function hasUndescribedNews(call: SessionCall, overlap: Json): boolean {
  const told = toldTo(call)
  return collisionsIn(overlap).some(({ id, severity }) => severity === '' && (told[id] ?? '') === '')
}

/** Saves that everything in the response of a check was shown to the session. */
export async function saveTold(call: SessionCall, context: CommandContext, overlap: Json | undefined): Promise<void> {
  const { sessionId } = call.event
  const found = collisionsIn(overlap ?? {})
  if (found.length > 0) {
    await call.hook.save(({ toldCollisions: now }) => ({
      toldCollisions: withSession(now, sessionId, withWorst(now[sessionId] ?? {}, found)),
    }))
  }
  await saveShownNotables(call, context, overlap)
}
