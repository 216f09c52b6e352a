import { record, recordList, textField } from '../client/json.ts'
import { describeMissing } from '../client/observed-state.ts'
import { listRecords } from '../client/work/list-records.ts'
import { type Command, sharedOptions } from '../command.ts'
import { openCommandContext, requireSavedId } from '../command-context.ts'
import { exitCodes, usageError } from '../failure.ts'
import { safeJson } from '../output/plain-text.ts'
import { describePair, workLabel } from '../output/print-events.ts'
import { createStyler } from '../terminal.ts'

export const command: Command = {
  usage: '',
  summary: 'List which live work collides with which, worst first.',
  examples: ['headsup collisions', 'headsup collisions --mine'],
  options: {
    ...sharedOptions,
    mine: { type: 'boolean', help: 'Only collisions of the work that was started here.' },
  },
  async run(terminal, args) {
    if (args.positionals.length > 0) throw usageError('collisions takes no paths: use `headsup check PATH`.')
    const context = await openCommandContext(terminal, args)
    const ownId = args.flag('mine') ? await requireSavedId(context) : undefined
    const found = await context.api.call(
      'GET',
      `/collisions${ownId ? `?activity_id=${encodeURIComponent(ownId)}` : ''}`,
    )
    if (args.flag('json')) {
      terminal.out(safeJson(found))
      return exitCodes.ok
    }
    const pairs = recordList(found, 'items')
    const { items } = pairs.length > 0 ? await listRecords(context.api, '/activity', {}, 2_000) : { items: [] }
    const names = new Map(items.map((activity) => [textField(activity, 'id') ?? '', workLabel(activity)]))
    for (const pair of pairs) terminal.out(describePair(pair, names, createStyler(terminal)))
    const isCut = found.truncated === true
    if (isCut)
      terminal.out(
        pairs.length > 0 ? 'There may be more.' : 'No collision is known, but not all live work is compared.',
      )
    else if (pairs.length === 0) terminal.out(ownId ? 'Nothing collides with your work.' : 'No live work collides.')
    const missing = describeMissing(record(found, 'observed'))
    if (missing !== undefined) terminal.out(missing)
    return exitCodes.ok
  },
}
