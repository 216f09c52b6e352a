import { categories } from '../../../core/enums.ts'
import { type Command, sharedOptions } from '../../command.ts'
import { openCommandContext } from '../../command-context.ts'
import { exitCodes, usageError } from '../../failure.ts'
import { safeJson } from '../../output/plain-text.ts'
import { printNotable } from '../../output/print-records.ts'
import { namedGlobs } from '../scope.ts'
import { notableFields, notableOptions } from './notable-fields.ts'

/** What a notable is unless the flags say otherwise (docs/words.md). */
const usual = { importance: 'medium', category: 'warning' } as const

export const command: Command = {
  usage: '[PATH…] --title TEXT',
  summary: 'Announce what everybody should know before they start.',
  notes:
    'Without paths and areas it is about the whole repository. With --blocking or critical importance, every check then\nreports an overlap.',
  examples: [
    "headsup notable raise --title 'Release freeze' --blocking",
    "headsup notable raise src/db --title 'Migrations are on hold' --importance high",
  ],
  options: {
    ...sharedOptions,
    title: { type: 'string', short: 't', value: 'TEXT', help: 'The notable in one line.' },
    ...notableOptions,
    importance: {
      ...notableOptions.importance,
      help: `${notableOptions.importance.help} Default: ${usual.importance}.`,
    },
    category: {
      type: 'string',
      value: 'CATEGORY',
      help: `One of ${categories.join(', ')}. Default: ${usual.category}.`,
    },
    area: {
      type: 'string',
      short: 'a',
      multiple: true,
      value: 'LABEL',
      help: 'An area that the notable is about. May be repeated.',
    },
    supersedes: { type: 'string', multiple: true, value: 'ID', help: 'A notable that it replaces. May be repeated.' },
  },
  async run(terminal, args) {
    const title = args.text('title')
    if (title === undefined) throw usageError('--title is needed.')
    const supersedes = args.texts('supersedes')
    const fields = notableFields(args)
    const context = await openCommandContext(terminal, args)
    const notable = await context.api.call('POST', '/notables', {
      title,
      summary: title,
      importance: usual.importance,
      category: args.text('category') ?? usual.category,
      scope: { areas: args.texts('area'), paths: namedGlobs(context) ?? [] },
      ...(supersedes.length > 0 && { supersedes }),
      ...fields,
    })
    if (args.flag('json')) terminal.out(safeJson(notable))
    else {
      terminal.out('Raised.')
      printNotable(terminal, notable)
    }
    return exitCodes.ok
  },
}
