import { currentAddress } from '../command-context.ts'
import { findHookContext, type HookContext, withSession } from '../hooks/hook-state.ts'
import { tellingOnce, withQuietFailures } from '../hooks/quiet-failures.ts'
import { afterLimit } from '../hooks/time-limit.ts'
import type { AgentCall, AgentEventKind } from './agent-event.ts'
import { checkBeforeEdit } from './before-edit.ts'
import type { Host } from './host.ts'
import { reportProgress } from './report-progress.ts'
import { endSession } from './session-end.ts'
import { startSession } from './session-start.ts'

const handlers: Readonly<Record<AgentEventKind, (call: AgentCall) => Promise<void>>> = {
  'session-start': startSession,
  'before-edit': checkBeforeEdit,
  'after-tool': reportProgress,
  'session-end': endSession,
}

/** Where the lines for the model go. */
interface Answer {
  host: Pick<Host, 'listensAt'>
  lines: string[]
}

/** Handles an event of an agent. Does nothing outside of a work tree. */
export async function runAgentHook(
  call: Omit<AgentCall, 'hook' | 'addContext'>,
  { host, lines }: Answer,
): Promise<void> {
  const { event, terminal } = call
  const hook = await findHookContext(terminal)
  if (!hook) return
  const isRead = host.listensAt.includes(event.kind)
  if (isRead) lines.push(...(await takePendingLines(hook, event.sessionId)))
  const addContext: AgentCall['addContext'] = async (added) => {
    if (isRead) lines.push(...added)
    else await savePendingLines(hook, event.sessionId, added)
  }
  const handle = () => handlers[event.kind]({ ...call, hook, addContext })
  const isToolEvent = event.kind === 'before-edit' || event.kind === 'after-tool'
  const quiet = { kind: event.kind, hook, terminal, addressOf: () => currentAddress(afterLimit(terminal), call.args) }
  await tellingOnce(hook, () => (isToolEvent ? withQuietFailures(quiet, handle) : handle()))
}

/** The model reads the first lines of a long answer only. */
const maxPendingLines = 40

async function savePendingLines(hook: HookContext, session: string, lines: readonly string[]): Promise<void> {
  await hook.save(({ pendingLines: now }) => ({
    pendingLines: withSession(now, session, [...(now[session] ?? []), ...lines].slice(-maxPendingLines)),
  }))
}

/** The lines that earlier hooks of the session could not print. */
async function takePendingLines(hook: HookContext, session: string): Promise<readonly string[]> {
  let taken: readonly string[] = []
  if ((hook.state.pendingLines[session] ?? []).length === 0) return taken
  await hook.save(({ pendingLines: { [session]: found = [], ...others } }) => {
    taken = found
    return { pendingLines: others }
  })
  return taken
}
