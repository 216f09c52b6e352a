import { type Command, sharedOptions } from '../../command.ts'
import { openCommandContext } from '../../command-context.ts'
import { exitCodes } from '../../failure.ts'
import { safeJson } from '../../output/plain-text.ts'
import { printNotable } from '../../output/print-records.ts'
import { onlyId } from './notable-fields.ts'

export const command: Command = {
  usage: 'ID',
  summary: 'Show a notable.',
  examples: ['headsup notable show ntb_01h455vb4pex5vsknk084sn02q'],
  options: sharedOptions,
  async run(terminal, args) {
    const id = onlyId(args, 'notable show')
    const { api } = await openCommandContext(terminal, args)
    const notable = await api.call('GET', `/notables/${id}`)
    if (args.flag('json')) terminal.out(safeJson(notable))
    else printNotable(terminal, notable)
    return exitCodes.ok
  },
}
