import { quoted } from '../../core/texts/quote.ts'
import type { Context } from '../context.ts'
import { forgetId, requireOwn } from '../own-work/own-record.ts'
import { safeJson } from '../print/plain.ts'
import { exitCodes } from '../terminal.ts'
import { type AddCommand, withBranchOptions, withContext } from './command.ts'

export const addDone: AddCommand = (program, terminal) => {
  withBranchOptions(program.command('done'))
    .summary('end your record: others are no longer told of it')
    .description(
      'Archives the record of this work. A merge, a deleted branch and time do it too: it is for work that you give up, or that ends in another way.',
    )
    .action((options) => withContext(terminal, options, (context) => done(context)))
}

async function done(context: Context): Promise<number> {
  const { terminal, api, options } = context
  const { activity, kept } = await requireOwn(context)
  const archived = await api.archive(kept.id)
  forgetId(context, kept.id)
  terminal.out(options.json ? safeJson(archived) : `Archived: ${archived.id}  ${quoted(activity.title)}`)
  return exitCodes.ok
}
