import { activityStatuses, risks } from '../../enums.ts'
import { wholeNumber } from '../args.ts'
import { filtersOf, listRecords } from '../client/pages.ts'
import { type Command, sharedOptions } from '../command.ts'
import { openCommandContext } from '../command-context.ts'
import { exitCodes, usageFault } from '../failure.ts'
import { safeJson } from '../plain-text.ts'
import { printActivity } from '../print-records.ts'

export const command: Command = {
  usage: '',
  summary: 'Who works on what in this repository, newest first.',
  options: {
    ...sharedOptions,
    branch: { type: 'string', value: 'NAME', help: 'Only work on this branch.' },
    actor: { type: 'string', value: 'NAME', help: 'Only work of this person.' },
    status: {
      type: 'string',
      value: 'STATUS',
      help: `Only of this status, ended ones too: ${activityStatuses.join(', ')}.`,
    },
    risk: { type: 'string', value: 'RISK', help: `Only of this risk: ${risks.join(', ')}.` },
    pr: { type: 'boolean', help: 'Only work with a pull request; --no-pr: only work without.' },
    'no-pr': { type: 'boolean', help: '' },
    limit: { type: 'string', value: 'N', help: 'At most so many, 50 unless you say.' },
  },
  async run(terminal, args) {
    if (args.positionals.length > 0) throw usageFault('list takes no paths: `headsup check PATH` asks about them.')
    const limit = wholeNumber(args, 'limit', 1, 10_000) ?? 50
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
    if (args.flag('json')) {
      terminal.out(safeJson(found))
      return exitCodes.fine
    }
    for (const activity of found.items) printActivity(terminal, activity)
    if (found.items.length === 0)
      terminal.out(Object.keys(filters).length > 0 ? 'No work matches.' : 'Nothing is going on.')
    if (found.more) terminal.out(`There is more: --limit ${limit * 2}`)
    return exitCodes.fine
  },
}
