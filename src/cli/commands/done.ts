import { quoted } from '../../core/texts/quote.ts'
import type { Context } from '../context.ts'
import { forgetId, requireOwn } from '../own-work/own-record.ts'
import { type AddCommand, type Printed, withBranchOptions, withContext } from './command.ts'

export const addDone: AddCommand = (program, terminal) => {
  withBranchOptions(program.command('done'))
    .summary('end your record: others are no longer told of it')
    .description(
      'Archives the record of this work. A merge, a deleted branch and time do it too: it is for work that you give up, or that ends in another way.',
    )
    .action((options) => withContext(terminal, options, done))
}

async function done(context: Context): Promise<Printed> {
  const { activity, kept } = await requireOwn(context)
  const archived = await context.api.archive(kept.id)
  forgetId(context, kept.id)
  return { json: archived, lines: [`Archived: ${archived.id}  ${quoted(activity.title)}`] }
}
