import { createHash } from 'node:crypto'
import { basesOf, savedWork } from '../command-context.ts'
import { changesField } from '../commands/changes.ts'
import { addChanges } from '../commands/scope.ts'
import { isRecent } from '../hooks/hook-state.ts'
import { sendHeartbeat } from '../hooks/send-heartbeat.ts'
import type { AgentCall } from './agent-event.ts'
import { openHookContext, recordWork } from './record-work.ts'

/** Sends a heartbeat, with the scope and the changes where they differ from those sent last, at most once a minute. */
export async function reportProgress(call: AgentCall): Promise<void> {
  const { terminal, hook } = call
  if (isRecent(hook.state.lastHeartbeat, terminal.now())) return
  await hook.save({ lastHeartbeat: terminal.now() })
  const context = await openHookContext(call)
  if (!context) return
  const work = await savedWork(context)
  // The branch was created during the session.
  if (!work) return void (await recordWork(context, call))
  if (work.id === undefined) return
  const { base } = await basesOf(context, work)
  const [scope, changes] = await Promise.all([addChanges(context, base, work.declared), changesField(context, base)])
  const sentProgress = digest([work.id, scope, changes])
  await sendHeartbeat(context, work, sentProgress === hook.state.sentProgress ? {} : { scope, ...changes })
  await hook.save({ sentProgress })
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}
