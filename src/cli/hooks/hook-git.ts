import type { Args } from '../args.ts'
import { type Command, sharedOptions } from '../command.ts'
import { basesOf, branchFields, openCommandContext, savedWork } from '../command-context.ts'
import { widened } from '../commands/scope.ts'
import { usageFault } from '../failure.ts'
import { homeRepository } from '../git/git-config.ts'
import { bringsBranch } from '../git/pushed-refs.ts'
import { findWorkTree } from '../git/work-tree.ts'
import type { Terminal } from '../terminal.ts'
import { gitHooks } from './git-hook-script.ts'
import { withinLimit } from './hook-limit.ts'
import { findHookContext, isRecent } from './hook-state.ts'
import { adviceOf, collisionOf, keepAlive } from './hook-work.ts'

export const command: Command = {
  usage: `${gitHooks.join('|')} [ARGUMENT…]`,
  summary: 'Run by git: checks the branch that was switched to, or is pushed. Never fails, never takes over a second.',
  options: { url: sharedOptions.url, repo: sharedOptions.repo },
  run(terminal, args) {
    const [name, , , isBranch] = args.positionals
    if (!gitHooks.some((hook) => hook === name)) throw usageFault(`hook git takes one of: ${gitHooks.join(', ')}.`)
    return withinLimit(
      terminal,
      async (limited) => {
        // A checkout of files alone.
        if (name === 'post-checkout' && isBranch === '0') return
        if (name === 'pre-push' && !bringsBranch(await limited.readInput())) return
        await check(limited, args)
      },
      (line) => terminal.err(line),
    )
  },
}

async function check(terminal: Terminal, args: Args): Promise<void> {
  const hook = await findHookContext(terminal)
  if (!hook || isRecent(hook.state.failed, terminal.now())) return
  try {
    const tree = await findWorkTree(terminal)
    if (!tree || tree.branch === null || (!homeRepository(tree.config) && args.text('repo') === undefined)) return
    // What this hook has to say of git it says by itself.
    const place = await openCommandContext({ ...terminal, err: () => {} }, args, tree)
    const work = await savedWork(place)
    const { base } = await basesOf(place, work)
    const scope = await widened(place, base, work?.declared ?? { areas: [], paths: [] })
    const [overlap] = await Promise.all([
      collisionOf(place, { ...branchFields(place.branch, base), scope }, work),
      work && keepAlive(place, work, scope),
    ])
    for (const line of adviceOf(overlap)) terminal.err(line)
  } catch (error) {
    await hook.save({ failed: terminal.now() }).catch(() => {})
    throw error
  }
}
