import { textField } from '../client/json.ts'
import { idOf, requireOwnActivity } from '../client/work/find-activity.ts'
import { branchOptions, type Command, idOption, sharedOptions } from '../command.ts'
import { basesOf, openCommandContext, savedWork } from '../command-context.ts'
import { exitCodes, usageError } from '../failure.ts'
import { formatRelativeTime, plain, safeJson } from '../output/plain-text.ts'

export const command: Command = {
  usage: '',
  summary: 'Send a heartbeat: the work of this branch goes on.',
  examples: ['headsup beat'],
  options: { ...sharedOptions, branch: branchOptions.branch, ...idOption },
  async run(terminal, args) {
    if (args.positionals.length > 0) throw usageError('beat takes no paths: `headsup update PATH` changes them.')
    const context = await openCommandContext(terminal, args)
    const work = await savedWork(context)
    const before = await requireOwnActivity(context, work, (await basesOf(context, work)).defaultBranch)
    const activity = await context.api.call('POST', `/activity/${idOf(before)}/heartbeat`)
    if (args.flag('json')) terminal.out(safeJson(activity))
    else {
      const expiry = formatRelativeTime(textField(activity, 'expires_at') ?? '', terminal.now())
      terminal.out(`${plain(idOf(activity))} goes on: it expires ${expiry}.`)
    }
    return exitCodes.ok
  },
}
