import { textField } from '../../client/json.ts'
import { type Command, sharedOptions } from '../../command.ts'
import { openCommandContext } from '../../command-context.ts'
import { exitCodes } from '../../failure.ts'
import { plain, safeJson } from '../../output/plain-text.ts'
import { onlyId } from './notable-fields.ts'

export const command: Command = {
  usage: 'ID',
  summary: 'Archive a notable, which removes it from the active ones.',
  examples: ['headsup notable done ntb_01h455vb4pex5vsknk084sn02q'],
  options: sharedOptions,
  async run(terminal, args) {
    const id = onlyId(args, 'notable done')
    const { api } = await openCommandContext(terminal, args)
    const notable = await api.call('POST', `/notables/${id}/archive`)
    if (args.flag('json')) terminal.out(safeJson(notable))
    else terminal.out(`${plain(textField(notable, 'id') ?? '')} is archived.`)
    return exitCodes.ok
  },
}
