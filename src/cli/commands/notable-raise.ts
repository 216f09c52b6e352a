import { categories } from '../../enums.ts'
import { type Command, sharedOptions } from '../command.ts'
import { openCommandContext } from '../command-context.ts'
import { exitCodes, usageFault } from '../failure.ts'
import { safeJson } from '../plain-text.ts'
import { printNotable } from '../print-records.ts'
import { notableFields, notableOptions } from './notable-fields.ts'
import { namedGlobs } from './scope.ts'

const needed = ['title', 'importance', 'category'] as const

export const command: Command = {
  usage: '[PATH…] --title TEXT --importance IMPORTANCE --category CATEGORY',
  summary: 'Tell everybody what to know before they start.',
  notes:
    'Without paths and areas it is about the whole repository: with --blocking or critical importance every check then finds an overlap.',
  options: {
    ...sharedOptions,
    title: { type: 'string', short: 't', value: 'TEXT', help: 'The signal in one line.' },
    ...notableOptions,
    category: { type: 'string', value: 'CATEGORY', help: `One of ${categories.join(', ')}.` },
    area: {
      type: 'string',
      short: 'a',
      multiple: true,
      value: 'LABEL',
      help: 'An area that it is about. May be repeated.',
    },
    supersedes: { type: 'string', multiple: true, value: 'ID', help: 'A notable that it replaces. May be repeated.' },
  },
  async run(terminal, args) {
    for (const name of needed) if (args.text(name) === undefined) throw usageFault(`--${name} is needed.`)
    const title = args.text('title')
    const supersedes = args.texts('supersedes')
    const fields = notableFields(args)
    const place = await openCommandContext(terminal, args)
    const notable = await place.api.call('POST', '/notables', {
      title,
      summary: title,
      category: args.text('category'),
      scope: { areas: args.texts('area'), paths: namedGlobs(place) ?? [] },
      ...(supersedes.length > 0 && { supersedes }),
      ...fields,
    })
    if (args.flag('json')) terminal.out(safeJson(notable))
    else {
      terminal.out('Raised.')
      printNotable(terminal, notable)
    }
    return exitCodes.fine
  },
}
