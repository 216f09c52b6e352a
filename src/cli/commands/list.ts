import { InvalidArgumentError, Option } from 'commander'
import { activityStatuses } from '../../core/enums.ts'
import type { CommonOptions, Context } from '../context.ts'
import { activityLine } from '../print/records.ts'
import { type AddCommand, type Printed, withCommonOptions, withContext } from './command.ts'

interface Options extends CommonOptions {
  mine?: boolean
  status?: string
  of?: number
  limit?: number
}

export const addList: AddCommand = (program, terminal) => {
  withCommonOptions(program.command('list'))
    .summary('list the work in flight')
    .description('Lists who works on what: what was recorded, and the open pull requests. The newest come first.')
    .option('--mine', 'only work of your own account')
    .option('--branch <name>', 'only work on this branch')
    .option('--issue <number>', 'only work that means to close this issue', number)
    .addOption(
      new Option('--status <status>', 'only this status, which may be one of ended work').choices(activityStatuses),
    )
    .option('--limit <number>', 'at most so many, up to 500', number)
    .addHelpText('after', '\nExamples:\n  headsup list --mine\n  headsup list --status merged')
    .action(({ issue, ...options }) =>
      withContext(terminal, options, (context) => list(context, { ...options, of: issue })),
    )
}

export function number(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 on.')
  return Number(text)
}

async function list(context: Context, { mine, status, branch, of, limit }: Options): Promise<Printed> {
  const page = await context.api.activities({ mine, status, branch, issue: of, limit })
  const lines = page.items.map((activity) => activityLine(activity, context))
  if (lines.length === 0) lines.push('No such work is known. `headsup collisions` says what is not read.')
  if (page.next_cursor !== null) lines.push('There is more: see --limit.')
  return { json: page, lines }
}
