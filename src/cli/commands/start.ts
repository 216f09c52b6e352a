import { quoted } from '../../core/texts/quote.ts'
import { textField } from '../client/json.ts'
import { givenActor, namesPlaces, requireActor, seenBranch } from '../client/work/find-activity.ts'
import { issueOptions } from '../client/work/issues.ts'
import { branchOptions, type Command, idsOption, mergeOption, sharedOptions } from '../command.ts'
import { openCommandContext, savedWork } from '../command-context.ts'
import { exitCodes } from '../failure.ts'
import { mergesAfter } from '../merge/later-merges.ts'
import { plain, safeJson } from '../output/plain-text.ts'
import { printWithMerges } from '../output/print-overlap.ts'
import { printActivity } from '../output/print-records.ts'
import { fieldsFromFlags, workOptions } from './fields.ts'
import { missingNamed, namedGlobs } from './scope.ts'
import { startWork } from './start-work.ts'

export const command: Command = {
  usage: '[PATH…]',
  summary: 'Record the work that you start, and check whether it collides.',
  notes:
    'The changed files of this branch, and the named paths. Live work of the branch is resumed: named paths replace the recorded\npaths, and areas the recorded areas. `beat`, `update` and `done` then apply to this work.',
  examples: ["headsup start --title 'Rework the sessions' src/auth", 'headsup start --risk high'],
  options: {
    ...sharedOptions,
    ...branchOptions,
    ...workOptions('start'),
    ...issueOptions,
    ...idsOption,
    actor: { type: 'string', value: 'NAME', help: "The human behind the work. Default: git's user.name." },
    agent: { type: 'string', value: 'NAME', help: 'The coding agent that does the work.' },
    ...mergeOption,
    'exit-code': { type: 'boolean', help: 'Exit with 1 where there is an overlap.' },
  },
  async run(terminal, args) {
    const context = await openCommandContext(terminal, args)
    const { branch, workState } = context
    const agent = args.text('agent') ?? (terminal.env.CLAUDECODE ? 'claude-code' : undefined)
    const areas = args.texts('area')
    const paths = namedGlobs(context)
    const actor = requireActor(context)
    const { activity, overlap, bases, parent, isNew, seenAs, ended, toSavedWork } = await startWork(
      context,
      await savedWork(context),
      {
        actor,
        agent,
        title: branch === null ? 'Work without a branch' : `Work on ${branch}`,
        fields: fieldsFromFlags(args, 'start'),
        namedScope: paths || areas.length > 0 ? { areas, paths: paths ?? [] } : undefined,
      },
    )
    await workState?.change(branch, (now) => ({ ...toSavedWork(now), bySession: false }))
    const owner = textField(activity, 'actor') ?? ''
    if (isNew && givenActor(context) === undefined) {
      terminal.err(
        `Note: git has no user.name, so this work is recorded as that of ${quoted(actor)}. --actor names another.`,
      )
    }
    if (owner !== actor) {
      const hint = args.text('actor') === undefined ? '' : ' --actor applies to new work only.'
      terminal.err(`Note: this work stays that of ${quoted(owner)}.${hint}`)
    }
    const merges = mergesAfter(context, overlap, { bases, parent })
    let isLeft: boolean
    if (args.flag('json')) {
      const after = await merges.result()
      isLeft = after.isOverlap
      terminal.out(safeJson({ activity, overlap: after.overlap, ...(parent && { parent }) }))
    } else {
      if (ended !== undefined) terminal.err(`Before: ${plain(ended)}`)
      terminal.out(isNew ? 'Started.' : 'Resumed.')
      if (seenAs === seenBranch) terminal.out('This branch is seen already, as it was pushed.')
      else if (seenAs !== undefined) terminal.out(`The open pull request of this branch is seen already as ${seenAs}.`)
      printActivity(terminal, activity)
      const options = { parent, missing: await missingNamed(context, paths), ids: args.flag('ids') }
      const after = await printWithMerges(terminal, overlap, merges, options)
      isLeft = after.isOverlap
      // The service advises to name paths and check again.
      if (!namesPlaces(activity)) terminal.out('`headsup update PATH…` names the paths and checks them.')
    }
    return isLeft && args.flag('exit-code') ? exitCodes.overlap : exitCodes.ok
  },
}
