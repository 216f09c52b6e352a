import { Option } from 'commander'
import { activityStatuses } from '../../core/enums.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import type { ActivityChange } from '../api.ts'
import type { Context } from '../context.ts'
import { keepId, requireOwn, titleOn } from '../own-work/own-record.ts'
import { propose } from '../own-work/proposal.ts'
import { overlapLines } from '../print/overlap.ts'
import { activityLine } from '../print/records.ts'
import { type AddCommand, type Printed, withContext } from './command.ts'
import { describedBy, type WorkOptions, withRecordOptions } from './work-options.ts'

interface Options extends WorkOptions {
  status?: (typeof activityStatuses)[number]
}

/** `expired` is requested by nobody. */
const statuses = activityStatuses.filter((status) => status !== 'expired')

export const addUpdate: AddCommand = (program, terminal) => {
  withRecordOptions(program.command('update'))
    .summary('bring your record up to date')
    .description(
      'Sends what the branch changes now, and the fields that you name, to the record of this work. ' +
        'It is a sign of life too: the record ends later.',
    )
    .argument('[path...]', 'what you will change, instead of what the record names')
    .addOption(new Option('--status <status>', 'how far the work is').choices(statuses))
    .addHelpText('after', help)
    .action((paths, options) => withContext(terminal, options, (context) => update(context, paths, options)))
}

const help = `
Examples:
  headsup update                    send the lines that are changed now
  headsup update --status blocked
  headsup update src/auth docs      name other paths`

async function update(context: Context, paths: readonly string[], options: Options): Promise<Printed> {
  const before = await requireOwn(context)
  const { fields, doubts } = await propose(context, paths, options.area)
  const { scope, issues, ...others } = fields
  const change: ActivityChange = {
    ...titleOn(fields.branch ?? before.branch, before),
    ...others,
    ...withoutUndefined({
      // Those of the branch were sent when it was recorded; people may have changed them since.
      issues: options.issue === undefined ? undefined : issues,
      scope: scope && {
        areas: options.area ?? before.scope.areas,
        paths: paths.length > 0 ? scope.paths : before.scope.paths,
      },
      status: options.status,
    }),
    ...describedBy(options),
    heartbeat: true,
  }
  const { activity, overlap } = await context.api.update(before.id, change)
  keepId(context, activity.id)
  return {
    json: { activity, overlap, doubts },
    lines: [`Brought up to date: ${activityLine(activity, context)}`, ...overlapLines(overlap, doubts)],
  }
}
