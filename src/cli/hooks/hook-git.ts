import type { Args } from '../args.ts'
import type { Json } from '../client/json.ts'
import { describedNotables } from '../client/messages.ts'
import { hasRepository } from '../client/service/github-host.ts'
import { issueOptions } from '../client/work/issues.ts'
import { type Command, sharedOptions } from '../command.ts'
import { basesOf, branchFields, currentAddress, openCommandContext, savedWork } from '../command-context.ts'
import { workFields } from '../commands/changes.ts'
import { usageError } from '../failure.ts'
import { findWorkTree } from '../git/work-tree.ts'
import type { Terminal } from '../terminal.ts'
import { gitHooks } from './git-hook-script.ts'
import { findHookContext, type HookContext, withSession } from './hook-state.ts'
import { findOverlap, overlapAdvice } from './overlap-text.ts'
import { tellingOnce, withQuietFailures } from './quiet-failures.ts'
import { sendHeartbeat } from './send-heartbeat.ts'
import { afterLimit, chosenLimitMs, limitsMs, runWithinLimit } from './time-limit.ts'
import { collisionsIn, knownCollisions, withWorst } from './told-collisions.ts'

export const command: Command = {
  usage: `${gitHooks.join('|')} [ARGUMENT…]`,
  summary: 'Run by git: checks the branch that is checked out or pushed. Always exits with 0, within two seconds.',
  examples: [],
  options: { url: sharedOptions.url, repo: sharedOptions.repo, ...issueOptions },
  run(terminal, args) {
    const [name, , , isBranch] = args.positionals
    if (name === undefined || !gitHooks.some((hook) => hook === name))
      throw usageError(`hook git takes one of: ${gitHooks.join(', ')}.`)
    return runWithinLimit(
      terminal,
      chosenLimitMs(terminal, limitsMs.git),
      async (limited) => {
        // Git sets the third argument to 0 when only files are checked out.
        if (name === 'post-checkout' && isBranch === '0') return
        if (name === 'pre-push' && !pushesBranch(await limited.readInput())) return
        await checkBranch(limited, args)
      },
      (line) => terminal.err(line),
    )
  },
}

/**
 * Whether the input of a `pre-push` hook (githooks, "pre-push") updates a branch: not where the push only deletes
 * branches or pushes tags. An empty input counts as an update.
 */
export function pushesBranch(input: string): boolean {
  const lines = input.split('\n').filter((line) => line.trim() !== '')
  const updates = lines.filter((line) => {
    const [, localId = '', remoteRef = ''] = line.split(' ')
    return remoteRef.startsWith('refs/heads/') && /[^0]/.test(localId)
  })
  return lines.length === 0 || updates.length > 0
}

async function checkBranch(terminal: Terminal, args: Args): Promise<void> {
  const hook = await findHookContext(terminal)
  if (!hook) return
  const quiet = { kind: 'git', hook, terminal, addressOf: () => currentAddress(afterLimit(terminal), args) }
  await tellingOnce(hook, () => withQuietFailures(quiet, () => checkWith(terminal, args, hook)))
}

async function checkWith(terminal: Terminal, args: Args, hook: HookContext): Promise<void> {
  const tree = await findWorkTree(terminal)
  if (!tree || tree.branch === null || !hasRepository(tree.config, args)) return
  // Notes about the changes would disturb every checkout and push.
  const context = await openCommandContext({ ...terminal, err: () => {} }, args, tree)
  const work = await savedWork(context)
  const { base } = await basesOf(context, work)
  const changes = await context.readChanges(base)
  const fields = workFields(changes, work?.declared ?? { areas: [], paths: [] })
  const [overlap] = await Promise.all([
    findOverlap(context, { ...branchFields(context.branch, base), ...fields }, work),
    work && sendHeartbeat(context, work, fields),
  ])
  if (overlap) await tellNews(terminal, hook, tree.branch, overlap)
}

/**
 * Prints the collisions that were not printed on this branch today. A notable about the whole repository is printed
 * each time.
 */
async function tellNews(
  terminal: Terminal,
  { state, save }: HookContext,
  branch: string,
  overlap: Json,
): Promise<void> {
  const day = new Date(terminal.now()).toISOString().slice(0, 10)
  const key = `${day} ${branch}`
  const notables = describedNotables(overlap).flatMap(({ id, isAboutRepository }) =>
    isAboutRepository ? [] : { id, keys: [id], severity: '' },
  )
  const found = [...collisionsIn(overlap), ...notables]
  const told = state.toldCollisions[key] ?? {}
  for (const line of overlapAdvice(overlap, knownCollisions(found, told))) terminal.err(line)
  if (found.length === 0) return
  await save(({ toldCollisions: now }) => ({
    toldCollisions: withSession(now, key, withWorst(now[key] ?? {}, found)),
  }))
}
