import { activitySources, activityStatuses, endedStatuses, risks } from '../../core/enums.ts'
import { type Args, integerFlag } from '../args.ts'
import { describeMissing } from '../client/observed-state.ts'
import { countObserved, describeObservedCount, listRecordedFirst } from '../client/work/list-by-source.ts'
import { filtersOf, listRecords } from '../client/work/list-records.ts'
import { type Command, sharedOptions } from '../command.ts'
import { openCommandContext } from '../command-context.ts'
import { exitCodes, usageError } from '../failure.ts'
import { safeJson } from '../output/plain-text.ts'
import { printActivity, printList } from '../output/print-records.ts'

export const command: Command = {
  usage: '',
  summary: 'List who works on what in this repository, newest first.',
  notes: 'Recorded work is listed; open pull requests and pushed branches are counted.',
  examples: ['headsup list --mine', 'headsup list --all --risk high'],
  options: {
    ...sharedOptions,
    all: { type: 'boolean', help: 'List open pull requests and pushed branches too, after the recorded work.' },
    source: {
      type: 'string',
      value: 'SOURCE',
      help: `Only work from here: ${activitySources.join(', ')}. Several are separated by commas.`,
    },
    mine: { type: 'boolean', help: 'Only work of your GitHub account.' },
    branch: { type: 'string', value: 'NAME', help: 'Only work on this branch.' },
    actor: { type: 'string', value: 'NAME', help: 'Only work of this person.' },
    status: {
      type: 'string',
      value: 'STATUS',
      help: `Only work of this status, including ended ones: ${activityStatuses.join(', ')}.`,
    },
    issue: { type: 'string', value: 'NUMBER', help: 'Only work that closes this issue.' },
    risk: { type: 'string', value: 'RISK', help: `Only work of this risk: ${risks.join(', ')}.` },
    pr: { type: 'boolean', help: 'Only work with a pull request; --no-pr: only work without one.' },
    'no-pr': { type: 'boolean', help: '' },
    limit: { type: 'string', value: 'N', help: 'The maximum number. Default: 50.' },
  },
  async run(terminal, args) {
    if (args.positionals.length > 0) throw usageError('list takes no paths: use `headsup check PATH`.')
    const source = args.text('source')
    if (source !== undefined && args.flag('all')) throw usageError('--source and --all exclude each other.')
    const limit = integerFlag(args, 'limit', 1, 10_000) ?? 50
    const { api } = await openCommandContext(terminal, args)
    const filters = activityFilters(args)
    const [found, observed] = await Promise.all([
      args.flag('all')
        ? listRecordedFirst(api, filters, limit)
        : listRecords(api, '/activity', { ...filters, source: source ?? 'recorded' }, limit),
      source === undefined && !args.flag('all') ? countObserved(api, filters) : undefined,
    ])
    if (args.flag('json')) terminal.out(safeJson({ ...found, ...(observed && { observed }) }))
    else {
      const others =
        observed &&
        describeObservedCount(observed, { areOpen: !endedStatuses.some((ended) => ended === args.text('status')) })
      const hasFilters = source !== undefined || Object.keys(filters).length > 0
      const ifNone = hasFilters ? 'No work matches.' : 'There is no live work.'
      const ifEmpty = others === undefined ? ifNone : 'There is no recorded work,'
      printList(terminal, found, { print: printActivity, ifEmpty, limit })
      if (others !== undefined) terminal.out(`${found.items.length > 0 ? 'and' : 'but'} ${others}; --all shows them`)
      const missing = source === 'recorded' ? undefined : describeMissing(found.state ?? {})
      if (missing !== undefined) terminal.out(missing)
    }
    return exitCodes.ok
  },
}

function activityFilters(args: Args): Record<string, string> {
  const pr = args.flag('pr')
  return filtersOf({
    branch: args.text('branch'),
    actor: args.text('actor'),
    status: args.text('status'),
    issue: args.text('issue')?.replace(/^#/, ''),
    risk: args.text('risk'),
    has_pr: pr === undefined ? undefined : String(pr),
    mine: args.flag('mine') ? 'true' : undefined,
  })
}
