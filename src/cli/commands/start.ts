import { actorOf, scopeIn } from '../client/find-activity.ts'
import { textField } from '../client/json.ts'
import { branchOptions, type Command, sharedOptions } from '../command.ts'
import { openCommandContext, savedWork } from '../command-context.ts'
import { exitCodes } from '../failure.ts'
import { plain, safeJson } from '../plain-text.ts'
import { printOverlap } from '../print-overlap.ts'
import { printActivity } from '../print-records.ts'
import { beginWork } from './begin-work.ts'
import { fieldsOf, workOptions } from './fields.ts'
import { namedGlobs } from './scope.ts'

export const command: Command = {
  usage: '[PATH…]',
  summary: 'Record what you are about to do, and learn whether it collides.',
  notes:
    'Without paths: what is changed on this branch. Where the branch has live work already, that one is taken up:\npaths replace the recorded ones, and areas the recorded areas.\n`beat`, `update` and `done` know it from then on.',
  options: {
    ...sharedOptions,
    ...branchOptions,
    ...workOptions('start'),
    actor: { type: 'string', value: 'NAME', help: "The human behind it. Else git's user.name." },
    agent: { type: 'string', value: 'NAME', help: 'The agent tool at work, where one is.' },
    'exit-code': { type: 'boolean', help: 'End with 1 where there is an overlap.' },
  },
  async run(terminal, args) {
    const place = await openCommandContext(terminal, args)
    const { branch, memory } = place
    const agent = args.text('agent') ?? (terminal.env.CLAUDECODE ? 'claude-code' : undefined)
    const areas = args.texts('area')
    const paths = namedGlobs(place)
    const actor = actorOf(place)
    const { activity, overlap, isNew, ended, work } = await beginWork(place, await savedWork(place), {
      actor,
      agent,
      title: branch === null ? 'Work without a branch' : `Work on ${branch}`,
      fields: fieldsOf(args, 'start'),
      named: paths || areas.length > 0 ? { areas, paths: paths ?? [] } : undefined,
    })
    await memory?.change(branch, (now) => ({ ...work(now), bySession: false }))
    const whose = textField(activity, 'actor') ?? ''
    if (whose !== actor) {
      const hint = args.text('actor') === undefined ? '' : ': --actor is for new work'
      terminal.err(`Note: this is work of ${plain(whose)}, and stays it${hint}.`)
    }
    if (args.flag('json')) terminal.out(safeJson({ activity, overlap }))
    else {
      if (ended !== undefined) terminal.err(`Before: ${plain(ended)}`)
      terminal.out(isNew ? 'Started.' : 'Taken up again.')
      printActivity(terminal, activity)
      printOverlap(terminal, overlap)
      const scope = scopeIn(activity)
      // The answer speaks to all callers: name paths, and check again.
      if (scope.areas.length + scope.paths.length === 0) terminal.out('`headsup update PATH…` does both.')
    }
    return overlap.overlap_detected === true && args.flag('exit-code') ? exitCodes.overlap : exitCodes.fine
  },
}
