import { severities } from '../../enums.ts'
import { type Json, recordList, textField, textList } from '../client/json.ts'
import type { CommandContext } from '../command-context.ts'
import { withSession } from '../hooks/hook-state.ts'
import { overlapFacts } from '../hooks/overlap-text.ts'
import type { AgentCall } from './agent-event.ts'
import { saveShownNotables, shownNotables } from './shown-notables.ts'

type Severities = Readonly<Record<string, string>>

export interface FoundCollision {
  id: string
  /** What it is known by: a branch or a pull request may get a new record. */
  keys: readonly string[]
  /** Empty for those that the reason only counts. */
  severity: string
}

/** Tells the model what this session was not told yet: each collision once, and again when its severity rises. */
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

/** Whether the response only counts a collision that the session does not know more of yet. */
export function hasUndescribedNews(call: SessionCall, overlap: Json): boolean {
  const told = toldTo(call)
  return collisionsIn(overlap).some(({ id, severity }) => severity === '' && (told[id] ?? '') === '')
}

/** Saves that the session was told of everything in the response of a check. */
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

/** The ids of the collisions that were told before, and are not worse now. */
export function knownCollisions(found: readonly FoundCollision[], told: Severities): string[] {
  return found.flatMap(({ id, keys, severity }) => {
    const before = keys.map((key) => told[key]).filter((known) => known !== undefined)
    return before.some((known) => rank(severity) <= rank(known)) ? [id] : []
  })
}

/** The collisions in the response of a check. */
export function collisionsIn(overlap: Json): FoundCollision[] {
  const described = recordList(overlap, 'collisions').map((item) => {
    const id = textField(item, 'activity_id') ?? ''
    return { id, keys: keysOf(item, id), severity: textField(item, 'severity') ?? '' }
  })
  const counted = textList(overlap, 'related_activity_ids')
    .filter((id) => described.every((item) => item.id !== id))
    .map((id) => ({ id, keys: [id], severity: '' }))
  return [...described, ...counted]
}

/** Several people may work on one branch, such as the default one. */
function keysOf(item: Json, id: string): string[] {
  const [pullRequest, branch] = [textField(item, 'pr_url'), textField(item, 'branch')]
  const ofBranch = branch === undefined ? [] : [`${branch} by ${textField(item, 'actor') ?? ''}`]
  return [id, ...(pullRequest === undefined ? [] : [pullRequest]), ...ofBranch]
}

function withWorst(told: Severities, found: readonly FoundCollision[]): Severities {
  const worse = found.flatMap(({ keys, severity }) =>
    keys.filter((key) => rank(severity) >= rank(told[key] ?? '')).map((key) => [key, severity] as const),
  )
  return { ...told, ...Object.fromEntries(worse) }
}

function rank(severity: string): number {
  return severities.map(String).indexOf(severity)
}
