import { areaOption, branchOptions, type Command, sharedOptions } from '../command.ts'
import { basesOf, branchFields, type CommandContext, openCommandContext, savedWork } from '../command-context.ts'
import { exitCodes, Failure } from '../failure.ts'
import { safeJson } from '../plain-text.ts'
import { printOverlap } from '../print-overlap.ts'
import { commandScope } from './scope.ts'

export const command: Command = {
  usage: '[PATH…]',
  summary: 'Does what you are about to do collide with work in flight?',
  notes: 'Without paths: what is changed on this branch. An overlap is no error, unless --exit-code asks for 1.',
  options: {
    ...sharedOptions,
    ...branchOptions,
    ...areaOption,
    tag: { type: 'string', multiple: true, value: 'LABEL', help: 'A further label to match by. May be repeated.' },
    changed: { type: 'boolean', help: 'What is changed counts, besides what is named.' },
    'exit-code': { type: 'boolean', help: 'End with 1 where there is an overlap.' },
  },
  async run(terminal, args) {
    const place = await openCommandContext(terminal, args)
    const work = await savedWork(place)
    const { base } = await basesOf(place, work)
    const scope = await commandScope(place, base)
    const isEmpty = scope.paths.length + scope.areas.length + args.texts('tag').length === 0
    const body = {
      ...branchFields(place.branch, base),
      // With an activity of its own, and nothing changed yet, the scope that was recorded counts.
      ...(!(isEmpty && work?.id !== undefined) && { scope }),
      ...(args.texts('tag').length > 0 && { tags: args.texts('tag') }),
    }
    const overlap = await checkAs(place, body, work?.id)
    if (args.flag('json')) terminal.out(safeJson(overlap))
    else {
      if (isEmpty && work?.id === undefined)
        terminal.err('Nothing is changed here yet. Name what you will touch: headsup check src/auth')
      printOverlap(terminal, overlap)
    }
    return overlap.overlap_detected === true && args.flag('exit-code') ? exitCodes.overlap : exitCodes.fine
  },
}

/** The check, leaving out the caller's own activity where that is still there. */
export async function checkAs({ api }: Pick<CommandContext, 'api'>, body: object, id: string | undefined) {
  const check = (own: object) => api.call('POST', '/activity/check', { ...body, ...own })
  if (id === undefined) return check({})
  try {
    return await check({ activity_id: id })
  } catch (error) {
    if (error instanceof Failure && error.status === 400 && error.message.includes('the activity')) return check({})
    throw error
  }
}
