import type { Pair } from '../../core/schemas/overlap.ts'
import { unread } from '../../core/texts/reading.ts'
import type { CommonOptions, Context } from '../context.ts'
import { plain } from '../print/plain.ts'
import { type AddCommand, type Printed, withCommonOptions, withContext } from './command.ts'

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

async function collisions(context: Context, options: PairOptions): Promise<Printed> {
  const answer = await readPairs(context, options)
  const { items, truncated, observed } = answer
  const gaps = [
    ...(truncated ? ['Not all works were compared.'] : []),
    ...unread(observed, new Date(context.terminal.now())),
  ]
  const none = gaps.length === 0 ? 'Nothing collides.' : 'No collision is known.'
  const off = observed.pull_requests === 'off' ? ['Open pull requests are not looked at here.'] : []
  return { json: answer, lines: [...(items.length === 0 ? [none] : items.map(pairLine)), ...gaps, ...off] }
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
