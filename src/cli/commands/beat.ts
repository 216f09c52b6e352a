import { idOf, neededWork } from '../client/find-activity.ts'
import { textField } from '../client/json.ts'
import { branchOptions, type Command, idOption, sharedOptions } from '../command.ts'
import { basesOf, openCommandContext, savedWork } from '../command-context.ts'
import { exitCodes, usageFault } from '../failure.ts'
import { plain, safeJson, when } from '../plain-text.ts'

export const command: Command = {
  usage: '',
  summary: 'Say that the work of this branch goes on.',
  options: { ...sharedOptions, branch: branchOptions.branch, ...idOption },
  async run(terminal, args) {
    if (args.positionals.length > 0) throw usageFault('beat takes no paths: `headsup update PATH` changes them.')
    const place = await openCommandContext(terminal, args)
    const work = await savedWork(place)
    const activity = await neededWork(place, work, (await basesOf(place, work)).defaultBranch)
    const beat = await place.api.call('POST', `/activity/${idOf(activity)}/heartbeat`)
    if (args.flag('json')) terminal.out(safeJson(beat))
    else {
      const end = when(textField(beat, 'expires_at') ?? '', terminal.now())
      terminal.out(`${plain(idOf(activity))} goes on: it expires ${end}.`)
    }
    return exitCodes.fine
  },
}
