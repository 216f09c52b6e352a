import type { Overlap } from '../../core/schemas/overlap.ts'
import type { Proposal } from '../api.ts'
import type { CommonOptions, Context } from '../context.ts'
import { findKept } from '../own-work/own-record.ts'
import { propose } from '../own-work/proposal.ts'
import { hasUnsettled, targetDoubts, tryMerges } from '../own-work/try-merges.ts'
import { overlapLines } from '../print/overlap.ts'
import { exitCodes, undefinedIf } from '../terminal.ts'
import { type AddCommand, collect, type Printed, withContext, withWorkOptions } from './command.ts'

interface Options extends CommonOptions {
  area?: string[]
  tag?: string[]
  merge: boolean
  exitCode?: boolean
}

export const addCheck: AddCommand = (program, terminal) => {
  withWorkOptions(program.command('check'))
    .summary('see whether your work collides with work in flight')
    .description(
      'Compares what this branch changes, and the paths that you name, with all work in flight. It records nothing. ' +
        'Name what you are about to change: a file that is not changed yet is not known to anybody.',
    )
    .argument('[path...]', 'files, directories or globs, from the working directory')
    .option('--area <label>', 'an area that the work is in; may be repeated', collect)
    .option('--tag <label>', 'another label to match areas by, in this check alone; may be repeated', collect)
    .option('--no-merge', 'do not try the merges with the work that is found')
    .option(
      '--exit-code',
      'exit with 1 where a notable matches or work of a member collides; where only the changes of two collide and a try ' +
        'showed that they merge, that does not count',
    )
    .addHelpText('after', help)
    .action((paths, options) => withContext(terminal, options, (context) => check(context, paths, options)))
}

const help = `
Examples:
  headsup check                     what this branch changes
  headsup check src/auth 'docs/*.md'  before you begin there
  headsup check --issue 42          who else works on issue 42
  headsup check --exit-code || ask  in a script

The answer is advice. Exit status: 0, or with --exit-code 1; 2 for a wrong call, 3 for a failure.`

async function check(context: Context, paths: readonly string[], options: Options): Promise<Printed> {
  const proposed = await propose(context, paths, options.area)
  const tags = options.tag ?? []
  const overlap = await ask(context, { ...proposed.fields, ...(tags.length > 0 && { tags }) })
  const tried = await tryMerges(context, overlap, proposed, options)
  const doubts = [...proposed.doubts, ...targetDoubts(tried)]
  return {
    json: { ...overlap, merges: tried.merges, doubts },
    lines: overlapLines(overlap, doubts, tried.lines),
    exitCode: options.exitCode && hasUnsettled(overlap, tried) ? exitCodes.overlap : exitCodes.ok,
  }
}

/** The record of this work tree stands for what is not sent; a purged one is left out. */
async function ask(context: Context, proposal: Proposal): Promise<Overlap> {
  const { api } = context
  const kept = await findKept(context)
  const own = kept && api.check({ ...proposal, activity_id: kept.id })
  const answer = own && (await undefinedIf(({ fields }) => fields.includes('activity_id'), own))
  return answer ?? api.check(proposal)
}
