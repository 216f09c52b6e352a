import type { Args } from '../../args.ts'
import { type Command, sharedOptions } from '../../command.ts'
import { openCommandContext } from '../../command-context.ts'
import { collectFailures, exitCodes, usageError } from '../../failure.ts'
import { safeJson } from '../../output/plain-text.ts'
import { printNotable } from '../../output/print-records.ts'
import { notableFields, notableOptions, onlyId } from './notable-fields.ts'

export const command: Command = {
  usage: 'ID',
  summary: 'Change a notable.',
  examples: ['headsup notable update ntb_01h455vb4pex5vsknk084sn02q --importance low'],
  options: { ...sharedOptions, ...notableOptions },
  async run(terminal, args) {
    const lacking = collectFailures()
    const id = await lacking.attempt(() => onlyId(args, 'notable update'))
    const fields = await lacking.attempt(() => changedFields(args))
    if (id === undefined || fields === undefined) throw lacking.failure()
    const { api } = await openCommandContext(terminal, args)
    const notable = await api.call('PATCH', `/notables/${id}`, fields)
    if (args.flag('json')) terminal.out(safeJson(notable))
    else printNotable(terminal, notable)
    return exitCodes.ok
  },
}

function changedFields(args: Args) {
  const fields = notableFields(args)
  if (Object.keys(fields).length === 0) throw usageError('Name a change by a flag such as --importance.')
  return fields
}
