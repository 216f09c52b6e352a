import { recall } from '../client/find-activity.ts'
import { textField } from '../client/json.ts'
import type { SavedWork } from '../client/work-state-file.ts'
import { basesOf, type CommandContext } from '../command-context.ts'
import { widened } from '../commands/scope.ts'
import { isSameAsBase } from '../git/branch-difference.ts'
import { placeOf } from './claude-session.ts'
import type { ClaudeCall } from './hook-claude.ts'
import { keepAlive } from './hook-work.ts'

/** A session that is cleared or left for another one goes on. */
const goesOn = ['clear', 'resume']

/** When the last session at the work ends, archives what sessions began and nothing came of. */
export async function endSession(call: ClaudeCall): Promise<void> {
  const { event } = call
  const place = event.isSubagent ? undefined : await placeOf(call)
  const all = (await place?.memory?.all()) ?? []
  for (const [branch, { sessions }] of all) {
    if (!place || !sessions.includes(event.sessionId)) continue
    const left = await place.memory?.change(branch, (now) => now && without(now, event.sessionId))
    const ends = left?.sessions.length === 0 && left.bySession && !goesOn.includes(event.reason)
    if (ends) await endWork(place, branch, left)
  }
}

function without(work: SavedWork, sessionId: string): SavedWork {
  return { ...work, sessions: work.sessions.filter((id) => id !== sessionId) }
}

/** Archives work without any difference to its base. Other work stays in view until its heartbeat ends, with its last changes. */
async function endWork(place: CommandContext, branch: string | null, work: SavedWork): Promise<void> {
  if (work.id === undefined) return
  const { activity } = await recall(place, work.id)
  const hasPullRequest = activity !== undefined && textField(activity, 'pr_url') !== undefined
  if (!activity) await place.memory?.forget(branch, work.id)
  else if (!hasPullRequest && place.tree && (await isSameAsBase(place.tree, branch, work))) {
    await place.api.call('POST', `/activity/${work.id}/archive`)
    await place.memory?.forget(branch, work.id)
  } else if (branch === place.branch) {
    const { base } = await basesOf(place, work)
    await keepAlive(place, work, await widened(place, base, work.declared))
  }
}
