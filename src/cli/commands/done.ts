import { quoted } from '../../core/texts/quote.ts'
import type { Context } from '../context.ts'
import { forgetId, requireOwn } from '../own-work/own-record.ts'
import { type AddCommand, type Printed, withBranchOptions, withContext } from './command.ts'

export const addDone: AddCommand = (program, terminal) => {
  withBranchOptions(program.command('done'))
    .summary('end your record: others are no longer told of it')
    .description(
      'Archives the record of this work. Without it the record ends by itself: with the merge of its pull request, with its ' +
        'time, and, where the GitHub App is installed, with its branch.',
    )
    .action((options) => withContext(terminal, options, done))
}

async function done(context: Context): Promise<Printed> {
  const { id, title } = await requireOwn(context)
  const archived = await context.api.archive(id)
  forgetId(context, id)
  return { json: archived, lines: [`Archived: ${id}  ${quoted(title)}`] }
}
