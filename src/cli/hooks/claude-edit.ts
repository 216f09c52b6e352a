import { dirname, resolve } from 'node:path'
import { escapeGlob } from '../../scope/glob/escape.ts'
import { basesOf, branchFields, openCommandContext, savedWork } from '../command-context.ts'
import { homeRepository } from '../git/git-config.ts'
import { fromTop, realPath } from '../git/given-paths.ts'
import { isInNestedWorkTree } from '../git/locate-work-tree.ts'
import { findWorkTree } from '../git/work-tree.ts'
import { contextReply } from './claude-event.ts'
import type { ClaudeCall } from './hook-claude.ts'
import { isRecent } from './hook-state.ts'
import { collisionOf, factsOf } from './hook-work.ts'
import { rememberShown, shownNotables } from './session-notables.ts'

/**
 * Before a file is changed: whom it collides with, at most once per path and minute. Only files of the session's own work
 * tree count: nothing runs in the directory of another file.
 */
export async function beforeEdit(call: ClaudeCall): Promise<void> {
  const { terminal, args, event, hook } = call
  if (event.file === undefined) return
  const file = realPath(resolve(terminal.cwd, event.file))
  const path = fromTop(file, hook.top)
  if (path === undefined || path === '.git' || path.startsWith('.git/')) return
  if (isInNestedWorkTree(dirname(file), hook.top)) return
  if (isRecent(hook.state.checked[path] ?? 0, terminal.now())) return
  await hook.save({ checked: { ...hook.state.checked, [path]: terminal.now() } })
  const tree = await findWorkTree(terminal)
  if (!tree || (!homeRepository(tree.config) && args.text('repo') === undefined)) return
  const place = await openCommandContext(terminal, args, tree)
  const work = await savedWork(place)
  const { base } = await basesOf(place, work)
  const body = { ...branchFields(place.branch, base), scope: { paths: [escapeGlob(path)] } }
  const overlap = await collisionOf(place, body, work)
  const facts = factsOf(overlap, shownNotables(call))
  await rememberShown(call, place, overlap)
  if (facts.length > 0) terminal.out(contextReply('PreToolUse', facts))
}
