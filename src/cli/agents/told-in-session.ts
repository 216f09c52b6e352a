import type { Json } from '../client/json.ts'
import { describedNotables } from '../client/messages.ts'
import { withSession } from '../hooks/hook-state.ts'
import { overlapFacts } from '../hooks/overlap-text.ts'
import { collisionsIn, knownCollisions, type Severities, withWorst } from '../hooks/told-collisions.ts'
import type { AgentCall, AgentEventKind } from './agent-event.ts'

/**
 * Reports to the model the collisions that are new to this session: each once, and again when its severity rises. Another
 * hook of the session may find the same at the same time.
 */
export async function tellNews(call: AgentCall, overlap: Json | undefined): Promise<void> {
  if (!overlap) return
  let facts: readonly string[] = []
  await saveTold(call, overlap, (told, shown) => {
    facts = overlapFacts(overlap, [...knownCollisions(collisionsIn(overlap), told), ...shown])
  })
  if (facts.length > 0) await call.addContext([...facts, whatToDo(call.event.kind)])
}

/** One clause on what to do. Agents read it beside the result of their tool: they have edited already. */
function whatToDo(kind: AgentEventKind): string {
  const place = kind === 'before-edit' ? 'You have just edited there' : 'This collides with your changes'
  return `${place}: tell the user before you go on; \`headsup check PATH\` says more.`
}

type SessionCall = Pick<AgentCall, 'event' | 'hook'>

/** Whether the response only counts a collision that was not described to the session before. */
export function hasUndescribedNews({ event, hook }: SessionCall, overlap: Json): boolean {
  const told = hook.state.toldCollisions[event.sessionId] ?? {}
  return collisionsIn(overlap).some(({ id, severity }) => severity === '' && (told[id] ?? '') === '')
}

/**
 * Saves that everything in the response of a check was shown to the session. `read` gets what was shown before: the
 * collisions, and the ids of the notables about the whole repository.
 */
export async function saveTold(
  { event, hook }: SessionCall,
  overlap: Json | undefined,
  read: (told: Severities, shown: readonly string[]) => void = () => {},
): Promise<void> {
  if (!overlap) return
  const { sessionId } = event
  const notables = describedNotables(overlap).flatMap(({ id, isAboutRepository }) => (isAboutRepository ? id : []))
  await hook.save(({ toldCollisions, shownNotables }) => {
    const told = toldCollisions[sessionId] ?? {}
    const shown = shownNotables[sessionId] ?? []
    read(told, shown)
    return {
      toldCollisions: withSession(toldCollisions, sessionId, withWorst(told, collisionsIn(overlap))),
      shownNotables: withSession(shownNotables, sessionId, [...new Set([...shown, ...notables])]),
    }
  })
}
