import { findHookContext, isRecent } from '../hooks/hook-state.ts'
import type { AgentCall, AgentEventKind } from './agent-event.ts'
import { checkBeforeEdit } from './before-edit.ts'
import { reportProgress } from './report-progress.ts'
import { endSession } from './session-end.ts'
import { startSession } from './session-start.ts'

const handlers: Readonly<Record<AgentEventKind, (call: AgentCall) => Promise<void>>> = {
  'session-start': startSession,
  'before-edit': checkBeforeEdit,
  'after-tool': reportProgress,
  'session-end': endSession,
}

/** Handles an event of an agent. Does nothing outside of a work tree. Saves the time of a failure, and throws it again. */
export async function runAgentHook(call: Omit<AgentCall, 'hook'>): Promise<void> {
  const { event, terminal } = call
  const hook = await findHookContext(terminal)
  if (!hook) return
  // While the service is away, one edit a minute waits for it instead of each.
  const isToolEvent = event.kind === 'before-edit' || event.kind === 'after-tool'
  if (isToolEvent && isRecent(hook.state.lastFailure, terminal.now())) return
  try {
    await handlers[event.kind]({ ...call, hook })
  } catch (error) {
    await hook.save({ lastFailure: terminal.now() }).catch(() => {})
    throw error
  }
}
