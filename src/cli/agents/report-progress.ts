import { basesOf, savedWork } from '../command-context.ts'
import { addChanges } from '../commands/scope.ts'
import { isRecent } from '../hooks/hook-state.ts'
import { sendHeartbeat } from '../hooks/send-heartbeat.ts'
import type { AgentCall } from './agent-event.ts'
import { openHookContext, recordWork } from './record-work.ts'

/** Sends a heartbeat, with the scope where it has changed, at most once a minute. */
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
  const scope = await addChanges(context, (await basesOf(context, work)).base, work.declared)
  const sentScope = JSON.stringify([work.id, scope])
  await sendHeartbeat(context, work, sentScope === hook.state.sentScope ? undefined : scope)
  await hook.save({ sentScope })
}
