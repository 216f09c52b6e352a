import { severities } from '../../enums.ts'
import { type Json, recordList, textField, textList } from '../client/json.ts'
import type { CommandContext } from '../command-context.ts'
import { withSession } from '../hooks/hook-state.ts'
import { overlapFacts } from '../hooks/overlap-text.ts'
import type { AgentCall } from './agent-event.ts'
import { saveShownNotables, shownNotables } from './shown-notables.ts'

type Severities = Readonly<Record<string, string>>

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

/** The collisions that were told before, and are not worse now. */
export function knownCollisions(found: Severities, told: Severities): string[] {
  return Object.entries(found).flatMap(([id, severity]) => {
    const before = told[id]
    return before !== undefined && rank(severity) <= rank(before) ? [id] : []
  })
}

/** Those that the reason only counts have no severity. */
function severitiesOf(overlap: Json): Severities {
  const counted = textList(overlap, 'related_activity_ids').map((id) => [id, ''] as const)
  const described = recordList(overlap, 'collisions').map(
    (item) => [textField(item, 'activity_id') ?? '', textField(item, 'severity') ?? ''] as const,
  )
  return Object.fromEntries([...counted, ...described])
}

function withWorst(told: Severities, found: Severities): Severities {
  const worse = Object.entries(found).filter(([id, severity]) => rank(severity) >= rank(told[id] ?? ''))
  return { ...told, ...Object.fromEntries(worse) }
}

function rank(severity: string): number {
  return severities.map(String).indexOf(severity)
}
