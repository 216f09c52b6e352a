import { textField } from '../client/json.ts'
import { type Command, sharedOptions } from '../command.ts'
import { openCommandContext } from '../command-context.ts'
import { exitCodes } from '../failure.ts'
import { plain, safeJson } from '../plain-text.ts'
import { onlyId } from './notable-fields.ts'

export const command: Command = {
  usage: 'ID',
  summary: 'Take a notable back: it leaves the live feed.',
  options: sharedOptions,
  async run(terminal, args) {
    const id = onlyId(args, 'notable done')
    const { api } = await openCommandContext(terminal, args)
    const answer = await api.call('POST', `/notables/${id}/archive`)
    if (args.flag('json')) terminal.out(safeJson(answer))
    else terminal.out(`${plain(textField(answer, 'id') ?? '')} is archived.`)
    return exitCodes.fine
  },
}
