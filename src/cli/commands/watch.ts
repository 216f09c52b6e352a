import { setTimeout as pause } from 'node:timers/promises'
import { safeJson } from '../../core/texts/quote.ts'
import type { Context } from '../context.ts'
import { ServiceAway } from '../terminal.ts'
import { type PairOptions, pairLine, readPairs } from './collisions.ts'
import { type AddCommand, withCommonOptions, withContext } from './command.ts'

export const addWatch: AddCommand = (program, terminal) => {
  withCommonOptions(program.command('watch'))
    .summary('print each new collision as it comes, until you stop it')
    .description(
      'Follows the repository and prints each pair of works that collides now and did not before; by --json one a line.',
    )
    .option('--mine', 'only pairs with work of your own account')
    .action((options: PairOptions) => withContext(terminal, options, (context) => watch(context, options)))
}

const rereadMs = 60_000
/** Between two streams, in ms. */
export const waits = { retry: 5_000 }

async function watch(context: Context, options: PairOptions): Promise<undefined> {
  const { terminal } = context
  const known = new Set((await readPairs(context, options)).items.map(keyOf))
  terminal.err(`Watching. Collisions now: ${known.size}. Stop it by Ctrl+C.`)
  let told = ''
  while (!terminal.signal.aborted) {
    const away = await followOnce(context, async () => {
      for (const pair of (await readPairs(context, options)).items) {
        if (!known.has(keyOf(pair))) terminal.out(options.json ? safeJson(pair) : pairLine(pair))
        known.add(keyOf(pair))
      }
    })
    if (away !== '' && away !== told) terminal.err(away)
    told = away
    await pause(waits.retry, undefined, { signal: terminal.signal }).catch(() => {})
  }
}

function keyOf({ activity_ids }: { activity_ids: readonly string[] }): string {
  return activity_ids.join(' ')
}

/** Reads the stream until it ends: the service ends it every ten minutes. Returns why it is away, or nothing. */
async function followOnce({ api, terminal }: Context, read: () => Promise<void>): Promise<string> {
  let readAt = terminal.now()
  try {
    for await (const text of api.follow()) {
      // An event says only that something has changed, the first one too. Between events there are comments.
      if (!/^[^:\n]/m.test(text) && terminal.now() - readAt < rereadMs) continue
      readAt = terminal.now()
      await read()
    }
  } catch (error) {
    if (terminal.signal.aborted) return ''
    if (error instanceof ServiceAway) return error.message
    throw error
  }
  return ''
}
