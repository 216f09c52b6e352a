import type { Pair } from '../../core/schemas/overlap.ts'
import { unread } from '../../core/texts/sentence.ts'
import type { CommonOptions, Context } from '../context.ts'
import { plain, safeJson } from '../print/plain.ts'
import { exitCodes } from '../terminal.ts'
import { type AddCommand, withCommonOptions, withContext } from './command.ts'

export interface PairOptions extends CommonOptions {
  mine?: boolean
}

export const addCollisions: AddCommand = (program, terminal) => {
  withCommonOptions(program.command('collisions'))
    .summary('list all pairs of works that collide')
    .description(
      'Lists the pairs of works in flight that collide, the worst first. `headsup watch` tells new ones as they come.',
    )
    .option('--mine', 'only pairs with work of your own account')
    .action((options: PairOptions) => withContext(terminal, options, (context) => collisions(context, options)))
}

async function collisions(context: Context, options: PairOptions): Promise<number> {
  const { terminal } = context
  const answer = await readPairs(context, options)
  const { items, truncated, observed } = answer
  if (options.json) terminal.out(safeJson(answer))
  else {
    for (const pair of items) terminal.out(pairLine(pair))
    const gaps = [truncated ? 'Not all works were compared.' : '', unread(observed, new Date(terminal.now()))]
    const isKnown = gaps.every((gap) => gap === '')
    if (items.length === 0) terminal.out(isKnown ? 'Nothing collides.' : 'No collision is known.')
    if (observed.pull_requests === 'off') gaps.push('Open pull requests are not looked at here.')
    for (const gap of gaps) if (gap !== '') terminal.out(gap)
  }
  return exitCodes.ok
}

/** The pairs that collide, or those of the caller's own work. */
export async function readPairs({ api }: Context, { mine }: PairOptions) {
  const [answer, own] = await Promise.all([
    api.collisions(),
    mine ? api.activities({ mine: true, limit: 500 }) : undefined,
  ])
  const ids = own && new Set(own.items.map(({ id }) => id))
  return { ...answer, items: answer.items.filter(({ activity_ids }) => !ids || activity_ids.some((id) => ids.has(id))) }
}

export function pairLine({ severity, text, activity_ids }: Pair): string {
  return `${severity}: ${plain(text)} [${activity_ids.join(', ')}]`
}
