import { categories, importances, notableStatuses } from '../../../core/enums.ts'
import { integerFlag } from '../../args.ts'
import { filtersOf, listRecords } from '../../client/work/list-records.ts'
import { type Command, sharedOptions } from '../../command.ts'
import { openCommandContext } from '../../command-context.ts'
import { exitCodes, usageError } from '../../failure.ts'
import { safeJson } from '../../output/plain-text.ts'
import { printList, printNotable } from '../../output/print-records.ts'

export const command: Command = {
  usage: '',
  summary: 'List what to know before starting, newest first.',
  examples: ['headsup notable list --area login'],
  options: {
    ...sharedOptions,
    area: { type: 'string', short: 'a', value: 'LABEL', help: 'Only notables about this area.' },
    category: { type: 'string', value: 'CATEGORY', help: `Only notables of this category: ${categories.join(', ')}.` },
    importance: {
      type: 'string',
      value: 'IMPORTANCE',
      help: `Only notables of this importance: ${importances.join(', ')}.`,
    },
    status: {
      type: 'string',
      value: 'STATUS',
      help: `Only notables of this status, including ended ones: ${notableStatuses.join(', ')}.`,
    },
    limit: { type: 'string', value: 'N', help: 'The maximum number. Default: 50.' },
  },
  async run(terminal, args) {
    if (args.positionals.length > 0) throw usageError('notable list takes no paths: use `headsup check PATH`.')
    const limit = integerFlag(args, 'limit', 1, 10_000) ?? 50
    const { api } = await openCommandContext(terminal, args)
    const names = ['area', 'category', 'importance', 'status']
    const filters = filtersOf(Object.fromEntries(names.map((name) => [name, args.text(name)])))
    const found = await listRecords(api, '/notables', filters, limit)
    const ifEmpty = Object.keys(filters).length > 0 ? 'No notable matches.' : 'There are no notables.'
    if (args.flag('json')) terminal.out(safeJson(found))
    else printList(terminal, found, { print: printNotable, ifEmpty, limit })
    return exitCodes.ok
  },
}
