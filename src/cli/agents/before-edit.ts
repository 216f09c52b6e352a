import { dirname, resolve } from 'node:path'
import { escapeGlob } from '../../scope/glob/escape.ts'
import type { SavedWork } from '../client/work-state-file.ts'
import { basesOf, branchFields, type CommandContext, savedWork } from '../command-context.ts'
import { type ChangesField, changesField } from '../commands/changes.ts'
import { addChanges } from '../commands/scope.ts'
import type { BaseBranch } from '../git/base-branch.ts'
import { fromTop, realPath } from '../git/given-paths.ts'
import { isInNestedWorkTree } from '../git/locate-work-tree.ts'
import { isRecent, type SentScope } from '../hooks/hook-state.ts'
import { findOverlap } from '../hooks/overlap-text.ts'
import { sendHeartbeat } from '../hooks/send-heartbeat.ts'
import type { AgentCall } from './agent-event.ts'
import { openHookContext } from './record-work.ts'
import { tellNews } from './told-collisions.ts'

/** More files of one edit are seen after it. */
const maxFiles = 50

/**
 * Records and checks the files of an edit before it, at most once per path and minute. Files outside of the session's own
 * work tree are left out, and git never runs in the directory of a file (docs/rules.md#git-trust).
 */
export async function checkBeforeEdit(call: AgentCall): Promise<void> {
  const { terminal, hook } = call
  const now = terminal.now()
  const paths = pathsToCheck(call).filter((path) => !isRecent(hook.state.lastChecks[path] ?? 0, now))
  if (paths.length === 0) return
  const checked = Object.fromEntries(paths.map((path) => [path, now]))
  await hook.save(({ lastChecks }) => ({ lastChecks: { ...lastChecks, ...checked } }))
  const context = await openHookContext(call)
  if (!context) return
  const work = await savedWork(context)
  const { base } = await basesOf(context, work)
  const changes = await changesField(context, base)
  const globs = paths.map(escapeGlob)
  // The record comes first: of two sessions that begin on a file together, the later check finds the other's record.
  await recordFiles(call, context, { work, base, changes, globs })
  const body = { ...branchFields(context.branch, base), scope: { paths: globs }, ...changes }
  await tellNews(call, context, await findOverlap(context, body, work))
}

/** The files of the edit in this work tree, from its top. */
function pathsToCheck({ terminal, event, hook }: AgentCall): string[] {
  const paths = event.files.slice(0, maxFiles).flatMap((name) => {
    const file = realPath(resolve(terminal.cwd, name))
    const path = fromTop(file, hook.top)
    if (path === undefined || path === '.git' || path.startsWith('.git/')) return []
    return isInNestedWorkTree(dirname(file), hook.top) ? [] : [path]
  })
  return [...new Set(paths)]
}

interface Edit {
  work: SavedWork | undefined
  base: BaseBranch | null
  changes: ChangesField
  globs: readonly string[]
}

/** Adds files to the recorded scope that it does not have yet. */
async function recordFiles({ hook }: AgentCall, context: CommandContext, edit: Edit): Promise<void> {
  const { work, base, changes, globs } = edit
  if (work?.id === undefined || globs.every((glob) => isSent(glob, work.id, hook.state.sentScope))) return
  const { areas, paths } = work.declared
  const scope = await addChanges(context, base, { areas, paths: [...new Set([...paths, ...globs])] })
  await sendHeartbeat(context, work, { scope, ...changes })
  const sentScope = { activity: work.id, paths: scope.paths }
  // The hook after the edit sends its lines, without waiting for a minute to pass.
  await hook.save(() => ({ sentScope, sentProgress: '', lastHeartbeat: 0 }))
}

function isSent(glob: string, activity: string | undefined, sent: SentScope): boolean {
  if (sent.activity !== activity) return false
  return sent.paths.some((path) => path === glob || (path.endsWith('/**') && glob.startsWith(path.slice(0, -2))))
}
