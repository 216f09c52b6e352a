import { dirname, resolve } from 'node:path'
import { escapeGlob } from '../../scope/glob/escape.ts'
import { basesOf, branchFields, savedWork } from '../command-context.ts'
import { changesField } from '../commands/changes.ts'
import { fromTop, realPath } from '../git/given-paths.ts'
import { isInNestedWorkTree } from '../git/locate-work-tree.ts'
import { isRecent } from '../hooks/hook-state.ts'
import { findOverlap, overlapFacts } from '../hooks/overlap-text.ts'
import type { AgentCall } from './agent-event.ts'
import { openHookContext } from './record-work.ts'
import { saveShownNotables, shownNotables } from './shown-notables.ts'

/**
 * Checks a file before it is edited, at most once per path and minute. Files outside of the session's own work tree are
 * not checked, and git never runs in the directory of a file (docs/rules.md#git-trust).
 */
export async function checkBeforeEdit(call: AgentCall): Promise<void> {
  const { terminal, event, hook, addContext } = call
  if (event.file === undefined) return
  const file = realPath(resolve(terminal.cwd, event.file))
  const path = fromTop(file, hook.top)
  if (path === undefined || path === '.git' || path.startsWith('.git/')) return
  if (isInNestedWorkTree(dirname(file), hook.top)) return
  if (isRecent(hook.state.lastChecks[path] ?? 0, terminal.now())) return
  await hook.save({ lastChecks: { ...hook.state.lastChecks, [path]: terminal.now() } })
  const context = await openHookContext(call)
  if (!context) return
  const work = await savedWork(context)
  const { base } = await basesOf(context, work)
  const changes = await changesField(context, base)
  const body = { ...branchFields(context.branch, base), scope: { paths: [escapeGlob(path)] }, ...changes }
  const overlap = await findOverlap(context, body, work)
  const facts = overlapFacts(overlap, shownNotables(call))
  await saveShownNotables(call, context, overlap)
  if (facts.length > 0) addContext(facts)
}
