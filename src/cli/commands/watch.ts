import { setTimeout as sleep } from 'node:timers/promises'
import type { Args } from '../args.ts'
import { followEvents } from '../client/follow-events.ts'
import { asRecord, type Json, parseJson, recordList, textField, textList } from '../client/json.ts'
import { type Command, sharedOptions } from '../command.ts'
import { type CommandContext, openCommandContext, savedWork } from '../command-context.ts'
import { exitCodes, unavailable, usageError } from '../failure.ts'
import { plain } from '../output/plain-text.ts'
import { createEventPrinter, type EventPrinter } from '../output/print-events.ts'
import type { Terminal } from '../terminal.ts'

/** Behind a proxy that holds events back, the lists are read this often, in ms. */
const pollMs = 15_000

export const command: Command = {
  usage: '',
  summary: 'Print what happens in the repository, as it happens: work, collisions, notables.',
  notes: 'Begins with the collisions of now. Goes on until it is stopped, also over lost connections.',
  examples: ['headsup watch --mine --notify', 'headsup watch --once --json'],
  options: {
    ...sharedOptions,
    mine: { type: 'boolean', help: 'Only the work that was started here, and its collisions.' },
    lines: { type: 'boolean', help: 'One plain line per event, for programs.' },
    json: { type: 'boolean', help: 'One event per line as JSON.' },
    once: { type: 'boolean', help: 'Print what is known now, and end.' },
    notify: { type: 'boolean', help: 'Also ask the terminal to notify you of each collision, once.' },
  },
  async run(terminal, args) {
    if (args.positionals.length > 0) throw usageError('watch takes no paths.')
    if (args.flag('lines') && args.flag('json')) throw usageError('--lines and --json exclude each other.')
    const context = await openCommandContext(terminal, args)
    const ownId = args.flag('mine') ? await requireOwnId(context) : undefined
    terminal.liftTimeLimit()
    const printer = createEventPrinter(terminal, { ...outputOf(args), ownId })
    const end = await followEvents({
      api: context.api,
      path: '/events',
      signal: terminal.signal,
      silentMs: silentMs(terminal),
      lost(reason) {
        if (args.flag('once')) throw unavailable(plain(reason))
        terminal.err(`headsup: ${plain(reason)} Trying again.`)
      },
      receive({ event, data }) {
        printer.print(event, asRecord(parseJson(data)))
        return args.flag('once') === true
      },
    })
    if (end === 'held back') {
      terminal.err('headsup: a proxy holds the events back, so the lists are read every 15 s instead.')
      await poll(context, printer)
    }
    return exitCodes.ok
  },
}

/** In ms. The service sends at least a comment every 15 s. A test sets less. */
function silentMs({ env }: Terminal): number {
  const given = Number(env.HEADSUP_SILENT_MS)
  return given > 0 ? given : 40_000
}

async function requireOwnId(context: CommandContext): Promise<string> {
  const id = (await savedWork(context))?.id
  if (id === undefined) throw usageError('No work was started here: `headsup start` records it.')
  return id
}

/** Reads the lists again and again, and prints what is new in them. */
async function poll({ api, terminal, args }: CommandContext, printer: EventPrinter): Promise<void> {
  const known = new Map<string, string>()
  let wasTruncated: unknown
  for (let isFirst = true; !terminal.signal.aborted; isFirst = false) {
    const listed = await api.call('GET', '/collisions')
    const collisions = recordList(listed, 'items')
    const all = { ...listed, collisions_complete: listed.truncated !== true }
    const activities = recordList(await api.call('GET', '/activity?limit=100'), 'items')
    const notables = recordList(await api.call('GET', '/notables?limit=100'), 'items')
    if (isFirst) printer.print('snapshot', { ...all, activities, notables, collisions, truncated: {} })
    else if (listed.truncated !== wasTruncated) printer.print('collisions', all)
    wasTruncated = listed.truncated
    const items: [string, Json][] = [
      ...activities.map((item): [string, Json] => ['activity', item]),
      ...notables.map((item): [string, Json] => ['notable', item]),
      ...collisions.map((item): [string, Json] => ['collision', item]),
    ]
    for (const [event, item] of items) {
      const key = textField(item, 'id') ?? textList(item, 'activity_ids').join(' ')
      const content = textField(item, 'updated_at') ?? textField(item, 'severity') ?? ''
      const isNews = known.get(`${event} ${key}`) !== content
      known.set(`${event} ${key}`, content)
      if (isNews && !isFirst) printer.print(event, item)
    }
    if (args.flag('once')) return
    await sleep(pollMs, undefined, { signal: terminal.signal }).catch(() => {})
  }
}

function outputOf(args: Args): { lines: boolean; json: boolean; notify: boolean } {
  const isSet = (name: string) => args.flag(name) === true
  return { lines: isSet('lines'), json: isSet('json'), notify: isSet('notify') }
}
