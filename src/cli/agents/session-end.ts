import { textField } from '../client/json.ts'
import { fetchActivity } from '../client/work/find-activity.ts'
import type { SavedWork } from '../client/work/work-state-file.ts'
import type { CommandContext } from '../command-context.ts'
import { workFields } from '../commands/changes.ts'
import { findBases } from '../git/base-branch.ts'
import { isSameAsBase } from '../git/branch-difference.ts'
import { sendHeartbeat } from '../hooks/send-heartbeat.ts'
import type { AgentCall } from './agent-event.ts'
import { openHookContext } from './record-work.ts'

/** Removes the session from its work. The end of the last session archives work that a session created and that is empty. */
export async function endSession(call: AgentCall): Promise<void> {
  const { event } = call
  const context = event.isSubagent ? undefined : await openHookContext(call)
  const all = (await context?.workState?.all()) ?? []
  for (const [branch, { sessions }] of all) {
    if (!context || !sessions.includes(event.sessionId)) continue
    const work = await context.workState?.change(branch, (now) => now && withoutSession(now, event.sessionId))
    if (work?.sessions.length === 0 && work.bySession && !event.isContinued) await endWork(context, branch, work)
  }
}

function withoutSession(work: SavedWork, sessionId: string): SavedWork {
  return { ...work, sessions: work.sessions.filter((id) => id !== sessionId) }
}

/** Archives work without any difference to its base. Other work gets a last heartbeat with its changes. */
async function endWork(context: CommandContext, branch: string | null, work: SavedWork): Promise<void> {
  const { tree } = context
  if (work.id === undefined || !tree) return
  const { activity } = await fetchActivity(context, work.id)
  if (!activity) return context.workState?.forget(branch, work.id)
  const bases = await findBases({ ...tree, branch }, work.base)
  const hasPullRequest = textField(activity, 'pr_url') !== undefined
  if (!hasPullRequest && (await isSameAsBase(tree, branch, bases))) {
    await context.api.call('POST', `/activity/${work.id}/archive`)
    await context.workState?.forget(branch, work.id)
  } else if (branch === context.branch) {
    await sendHeartbeat(context, work, workFields(await context.readChanges(bases.base), work.declared))
  }
}
