import { activityStatuses, risks } from '../../enums.ts'
import { integerFlag } from '../args.ts'
import { filtersOf, listRecords } from '../client/list-records.ts'
import { type Command, sharedOptions } from '../command.ts'
import { openCommandContext } from '../command-context.ts'
import { exitCodes, usageError } from '../failure.ts'
import { safeJson } from '../plain-text.ts'
import { printActivity, printList } from '../print-records.ts'

export const command: Command = {
  usage: '',
  summary: 'List who works on what in this repository, newest first.',
  options: {
    ...sharedOptions,
    branch: { type: 'string', value: 'NAME', help: 'Only work on this branch.' },
    actor: { type: 'string', value: 'NAME', help: 'Only work of this person.' },
    status: {
      type: 'string',
      value: 'STATUS',
      help: `Only work of this status, including ended ones: ${activityStatuses.join(', ')}.`,
    },
    risk: { type: 'string', value: 'RISK', help: `Only work of this risk: ${risks.join(', ')}.` },
    pr: { type: 'boolean', help: 'Only work with a pull request; --no-pr: only work without one.' },
    'no-pr': { type: 'boolean', help: '' },
    limit: { type: 'string', value: 'N', help: 'The maximum number. Default: 50.' },
  },
  async run(terminal, args) {
    if (args.positionals.length > 0) throw usageError('list takes no paths: use `headsup check PATH`.')
    const limit = integerFlag(args, 'limit', 1, 10_000) ?? 50
    const pr = args.flag('pr')
    const { api } = await openCommandContext(terminal, args)
    const filters = filtersOf({
      branch: args.text('branch'),
      actor: args.text('actor'),
      status: args.text('status'),
      risk: args.text('risk'),
      has_pr: pr === undefined ? undefined : String(pr),
    })
    const found = await listRecords(api, '/activity', filters, limit)
    const ifEmpty = Object.keys(filters).length > 0 ? 'No work matches.' : 'There is no live work.'
    if (args.flag('json')) terminal.out(safeJson(found))
    else printList(terminal, found, { print: printActivity, ifEmpty, limit })
    return exitCodes.ok
  },
}
