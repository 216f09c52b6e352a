import type { Context } from '../context.ts'
import { record } from '../own-work/own-record.ts'
import { type Proposed, propose } from '../own-work/proposal.ts'
import { targetDoubts, tryMerges } from '../own-work/try-merges.ts'
import { overlapLines } from '../print/overlap.ts'
import { activityLine } from '../print/records.ts'
import { usageError } from '../terminal.ts'
import { type AddCommand, type Printed, withContext } from './command.ts'
import { describedBy, newWork, type WorkOptions, withRecordOptions } from './work-options.ts'

interface Options extends WorkOptions {
  merge: boolean
}

export const addStart: AddCommand = (program, terminal) => {
  withRecordOptions(program.command('start'))
    .summary('record your work, so that others are told of it')
    .description(
      'Records the work of this work tree on its branch, with what it changes, and says what it collides with. ' +
        'Where it is recorded already, the record is brought up to date.',
    )
    .argument('[path...]', 'what you will change: files, directories or globs')
    .option('--actor <name>', 'the human behind the work; by default the user.name of git')
    .option('--no-merge', 'do not try the merges with the work that is found')
    .addHelpText('after', help)
    .action((paths, options) => withContext(terminal, options, (context) => start(context, paths, options)))
}

const help = `
Examples:
  headsup start src/auth --title "Rework the login"
  headsup start --issue 42 --risk high

The record ends by itself: when its pull request is merged; when its branch is deleted, where the GitHub App is
installed; and after 24 hours without a sign of life (settings may name another time).`

async function start(context: Context, paths: readonly string[], options: Options): Promise<Printed> {
  const proposed = await propose(context, paths, options.area)
  const change = { ...proposed.fields, ...describedBy(options) }
  const { activity, overlap, isNew } = await record(context, { ...change, heartbeat: true }, async () => {
    await requireWork(context, proposed.fields, options)
    return { ...change, ...newWork(context, options) }
  })
  const tried = await tryMerges(context, overlap, proposed, options)
  const doubts = [...proposed.doubts, ...targetDoubts(tried)]
  const what = `${isNew ? 'Recorded' : 'Brought up to date'}: ${activityLine(activity, context)}`
  return {
    json: { activity, overlap, merges: tried.merges, doubts },
    lines: [what, ...overlapLines(overlap, doubts, tried.lines)],
  }
}

/** On the default branch a record without anything tells nobody what the work is. */
async function requireWork({ branch, repositoryFacts }: Context, fields: Proposed['fields'], { title, pr }: Options) {
  const { scope, issues = [], changes } = fields
  const isTold = title !== undefined || pr !== undefined || scope !== undefined || issues.length > 0
  if (isTold || changes?.files.length !== 0 || branch !== (await repositoryFacts()).defaultBranch) return
  throw usageError(`Nothing is changed on ${branch} yet: name what you will change, an issue or a --title.`)
}
