import { findActivity, idOf, recallGiven } from '../client/find-activity.ts'
import { branchOptions, type Command, idOption, sharedOptions } from '../command.ts'
import { basesOf, openCommandContext, savedWork } from '../command-context.ts'
import { exitCodes, usageFault } from '../failure.ts'
import { plain, safeJson } from '../plain-text.ts'

export const command: Command = {
  usage: '',
  summary: 'Finish the work of this branch: it leaves the live feed.',
  options: {
    ...sharedOptions,
    branch: branchOptions.branch,
    ...idOption,
    merged: { type: 'boolean', help: 'It was merged.' },
    abandoned: { type: 'boolean', help: 'It was given up.' },
  },
  async run(terminal, args) {
    if (args.positionals.length > 0) throw usageFault('done takes no paths.')
    if (args.flag('merged') && args.flag('abandoned')) throw usageFault('--merged and --abandoned exclude each other.')
    const status = args.flag('merged') ? 'merged' : args.flag('abandoned') ? 'abandoned' : undefined
    const place = await openCommandContext(terminal, args)
    const work = await savedWork(place)
    const given = args.text('id')
    const { activity, ended } =
      given === undefined
        ? await findActivity(place, work, (await basesOf(place, work)).defaultBranch)
        : await recallGiven(place, given)
    const forget = async () => {
      if (given === undefined && work?.id !== undefined) await place.memory?.forget(place.branch, work.id)
    }
    if (!activity) {
      await forget()
      if (args.flag('json')) terminal.out(safeJson(null))
      else
        terminal.out(
          `Nothing to finish: ${plain(ended ?? `no live work is known ${place.branch === null ? 'here' : `on ${place.branch}`}.`)}`,
        )
      return exitCodes.fine
    }
    const path = `/activity/${idOf(activity)}`
    const answer = status
      ? await place.api.call('PATCH', path, { status })
      : await place.api.call('POST', `${path}/archive`)
    await forget()
    if (args.flag('json')) terminal.out(safeJson(answer))
    else terminal.out(`${plain(idOf(activity))} is ${status ?? 'archived'}.`)
    return exitCodes.fine
  },
}
