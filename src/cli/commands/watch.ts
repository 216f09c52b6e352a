import { setTimeout as sleep } from 'node:timers/promises'
import type { Args } from '../args.ts'
import { asRecord, type Json, parseJson, recordList, textField, textList } from '../client/json.ts'
import { followEvents, isFinal } from '../client/service/follow-events.ts'
import { type Command, sharedOptions } from '../command.ts'
import { type CommandContext, openCommandContext, requireSavedId } from '../command-context.ts'
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
    const ownId = args.flag('mine') ? await requireSavedId(context) : undefined
    terminal.liftTimeLimit()
    const printer = createEventPrinter(terminal, { ...outputOf(args), ownId })
    function lost(reason: string): void {
      if (args.flag('once')) throw unavailable(plain(reason))
      terminal.err(`headsup: ${plain(reason)} Trying again.`)
    }
    const end = await followEvents({
      api: context.api,
      path: '/events',
      signal: terminal.signal,
      silentMs: silentMs(terminal, args),
      lost,
      receive({ event, data }) {
        printer.print(event, asRecord(parseJson(data)))
        return args.flag('once') === true
      },
    })
    if (end === 'held back') {
      terminal.err('headsup: a proxy holds the events back, so the lists are read every 15 s instead.')
      await poll(context, printer, lost)
    }
    return exitCodes.ok
  },
}

/** In ms. The service begins with a snapshot, and sends at least a comment every 15 s. A test sets less. */
function silentMs({ env }: Terminal, args: Args): number {
  const given = Number(env.HEADSUP_SILENT_MS)
  if (given > 0) return given
  return args.flag('once') ? 10_000 : 40_000
}

/** Reads the lists again and again, and prints what is new in them. */
async function poll(context: CommandContext, printer: EventPrinter, lost: (reason: string) => void): Promise<void> {
  const { terminal, args } = context
  const print = createListPrinter(printer)
  while (!terminal.signal.aborted) {
    try {
      print(await readLists(context))
      if (args.flag('once')) return
    } catch (error) {
      if (isFinal(error)) throw error
      lost(error instanceof Error ? error.message : 'The connection failed.')
    }
    await sleep(pollMs, undefined, { signal: terminal.signal }).catch(() => {})
  }
}

async function readLists({ api }: CommandContext) {
  const listed = await api.call('GET', '/collisions')
  return {
    all: { ...listed, collisions_complete: listed.truncated !== true },
    collisions: recordList(listed, 'items'),
    activities: recordList(await api.call('GET', '/activity?limit=100'), 'items'),
    notables: recordList(await api.call('GET', '/notables?limit=100'), 'items'),
  }
}

/** Prints the first lists as a snapshot, and of later ones what has changed. */
function createListPrinter(printer: EventPrinter) {
  const known = new Map<string, string>()
  let wasComplete: boolean | undefined
  let isFirst = true
  return ({ all, collisions, activities, notables }: Awaited<ReturnType<typeof readLists>>): void => {
    if (isFirst) printer.print('snapshot', { ...all, activities, notables, collisions, truncated: {} })
    else if (all.collisions_complete !== wasComplete) printer.print('collisions', all)
    wasComplete = all.collisions_complete
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
    isFirst = false
  }
}

function outputOf(args: Args): { lines: boolean; json: boolean; notify: boolean } {
  const isSet = (name: string) => args.flag(name) === true
  return { lines: isSet('lines'), json: isSet('json'), notify: isSet('notify') }
}
