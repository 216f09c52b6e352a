import { fetchGivenActivity, findOwnActivity, idOf } from '../client/work/find-activity.ts'
import { branchOptions, type Command, idOption, sharedOptions } from '../command.ts'
import { basesOf, openCommandContext, savedWork } from '../command-context.ts'
import { exitCodes, usageError } from '../failure.ts'
import { plain, safeJson } from '../output/plain-text.ts'

export const command: Command = {
  usage: '',
  summary: 'Finish the work of this branch, which removes it from the live work.',
  examples: ['headsup done --merged'],
  options: {
    ...sharedOptions,
    branch: branchOptions.branch,
    ...idOption,
    merged: { type: 'boolean', help: 'The work was merged.' },
    abandoned: { type: 'boolean', help: 'The work was given up.' },
  },
  async run(terminal, args) {
    if (args.positionals.length > 0) throw usageError('done takes no paths.')
    if (args.flag('merged') && args.flag('abandoned')) throw usageError('--merged and --abandoned exclude each other.')
    const status = args.flag('merged') ? 'merged' : args.flag('abandoned') ? 'abandoned' : undefined
    const context = await openCommandContext(terminal, args)
    const work = await savedWork(context)
    const given = args.text('id')
    const { activity, ended } =
      given === undefined
        ? await findOwnActivity(context, work, (await basesOf(context, work)).defaultBranch)
        : await fetchGivenActivity(context, given)
    const forget = async () => {
      if (given === undefined && work?.id !== undefined) await context.workState?.forget(context.branch, work.id)
    }
    if (!activity) {
      await forget()
      if (args.flag('json')) terminal.out(safeJson(null))
      else
        terminal.out(
          `Nothing to finish: ${plain(ended ?? `no live work is known ${context.branch === null ? 'here' : `on ${context.branch}`}.`)}`,
        )
      return exitCodes.ok
    }
    const path = `/activity/${idOf(activity)}`
    const response = status
      ? await context.api.call('PATCH', path, { status })
      : await context.api.call('POST', `${path}/archive`)
    await forget()
    if (args.flag('json')) terminal.out(safeJson(response))
    else terminal.out(`${plain(idOf(activity))} is ${status ?? 'archived'}.`)
    return exitCodes.ok
  },
}
