import { categories, importances, notableStatuses } from '../../enums.ts'
import { wholeNumber } from '../args.ts'
import { filtersOf, listRecords } from '../client/pages.ts'
import { type Command, sharedOptions } from '../command.ts'
import { openCommandContext } from '../command-context.ts'
import { exitCodes, usageFault } from '../failure.ts'
import { safeJson } from '../plain-text.ts'
import { printNotable } from '../print-records.ts'

export const command: Command = {
  usage: '',
  summary: 'What to know before starting, newest first.',
  options: {
    ...sharedOptions,
    area: { type: 'string', short: 'a', value: 'LABEL', help: 'Only those about this area.' },
    category: { type: 'string', value: 'CATEGORY', help: `Only of this category: ${categories.join(', ')}.` },
    importance: { type: 'string', value: 'IMPORTANCE', help: `Only of this importance: ${importances.join(', ')}.` },
    status: {
      type: 'string',
      value: 'STATUS',
      help: `Only of this status, ended ones too: ${notableStatuses.join(', ')}.`,
    },
    limit: { type: 'string', value: 'N', help: 'At most so many, 50 unless you say.' },
  },
  async run(terminal, args) {
    if (args.positionals.length > 0)
      throw usageFault('notable list takes no paths: `headsup check PATH` asks about them.')
    const limit = wholeNumber(args, 'limit', 1, 10_000) ?? 50
    const { api } = await openCommandContext(terminal, args)
    const names = ['area', 'category', 'importance', 'status']
    const filters = filtersOf(Object.fromEntries(names.map((name) => [name, args.text(name)])))
    const found = await listRecords(api, '/notables', filters, limit)
    if (args.flag('json')) {
      terminal.out(safeJson(found))
      return exitCodes.fine
    }
    for (const notable of found.items) printNotable(terminal, notable)
    if (found.items.length === 0)
      terminal.out(Object.keys(filters).length > 0 ? 'No notable matches.' : 'There is nothing to know.')
    if (found.more) terminal.out(`There is more: --limit ${limit * 2}`)
    return exitCodes.fine
  },
}
