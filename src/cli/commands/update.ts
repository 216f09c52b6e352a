import { idOf, neededWork, scopeIn } from '../client/find-activity.ts'
import { branchOptions, type Command, idOption, sharedOptions } from '../command.ts'
import { basesOf, branchFields, openCommandContext, savedWork } from '../command-context.ts'
import { exitCodes, usageFault } from '../failure.ts'
import { safeJson } from '../plain-text.ts'
import { printOverlap } from '../print-overlap.ts'
import { printActivity } from '../print-records.ts'
import { checkAs } from './check.ts'
import { changesOf, fieldsOf, workOptions } from './fields.ts'
import { changedGlobs, namedGlobs } from './scope.ts'

export const command: Command = {
  usage: '[PATH…]',
  summary: 'Change what is recorded of the work of this branch.',
  notes: 'Paths replace the recorded ones, and areas the recorded areas; both are checked again.',
  options: {
    ...sharedOptions,
    ...branchOptions,
    ...workOptions('update'),
    changed: { type: 'boolean', help: 'Replace the paths by what is changed.' },
    ...idOption,
    'exit-code': { type: 'boolean', help: 'End with 1 where the new scope overlaps.' },
  },
  async run(terminal, args) {
    const fields = fieldsOf(args, 'update')
    const areas = args.texts('area')
    const isScope = args.positionals.length > 0 || args.flag('changed') === true || areas.length > 0
    const isBase = args.text('base') !== undefined
    if (!isScope && !isBase && Object.keys(fields).length === 0) {
      throw usageFault(
        'Say what to change: paths, --changed, or a flag such as --title. `headsup beat` says that it goes on.',
      )
    }
    const place = await openCommandContext(terminal, args)
    const work = await savedWork(place)
    const { base, defaultBranch } = await basesOf(place, work)
    const before = await neededWork(place, work, defaultBranch)
    const recorded = scopeIn(before)
    const changed = args.flag('changed') ? await changedGlobs(place, base) : []
    const named = namedGlobs(place) ?? []
    const replaces = named.length > 0 || args.flag('changed') === true
    const paths = replaces ? [...new Set([...named, ...changed])] : recorded.paths
    const scope = { areas: areas.length > 0 ? areas : recorded.areas, paths }
    const declared = work && work.id === idOf(before) ? work.declared : recorded
    const branches = branchFields(place.branch, base)
    const body = { ...changesOf(fields, before), ...(isScope && { scope }), ...(isBase && branches) }
    const activity = await place.api.call('PATCH', `/activity/${idOf(before)}`, body)
    if (args.text('id') === undefined) {
      await place.memory?.change(place.branch, (now) => ({
        ...(now ?? { repository: place.repository, sessions: [], bySession: false }),
        id: idOf(activity),
        ...(isBase && base && { base: base.name }),
        declared: { areas: scope.areas, paths: replaces ? named : declared.paths },
      }))
    }
    const overlap = isScope ? await checkAs(place, { ...branches, scope }, idOf(activity)) : undefined
    if (args.flag('json')) terminal.out(safeJson({ activity, overlap: overlap ?? null }))
    else {
      printActivity(terminal, activity)
      if (overlap) printOverlap(terminal, overlap)
    }
    return overlap?.overlap_detected === true && args.flag('exit-code') ? exitCodes.overlap : exitCodes.fine
  },
}
