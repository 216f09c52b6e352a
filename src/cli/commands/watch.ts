import { setTimeout as sleep } from 'node:timers/promises'
import { quoted } from '../../overlap/quote.ts'
import type { Args } from '../args.ts'
import { isLiveRecord } from '../client/find-activity.ts'
import { followEvents } from '../client/follow-events.ts'
import { asRecord, type Json, parseJson, recordList, textField, textList } from '../client/json.ts'
import { type Command, sharedOptions } from '../command.ts'
import { type CommandContext, openCommandContext, savedWork } from '../command-context.ts'
import { exitCodes, usageError } from '../failure.ts'
import { plain } from '../plain-text.ts'
import { createStyler, type Terminal } from '../terminal.ts'

/** Behind a proxy that holds events back, the lists are read this often, in ms. */
const pollMs = 15_000

export const command: Command = {
  usage: '',
  summary: 'Print what happens in the repository, as it happens: work, collisions, notables.',
  notes: 'Begins with the collisions of now. Goes on until it is stopped, also over lost connections.',
  options: {
    ...sharedOptions,
    mine: { type: 'boolean', help: 'Only the work that was started here, and its collisions.' },
    lines: { type: 'boolean', help: 'One plain line per event, for programs.' },
    json: { type: 'boolean', help: 'One event per line as JSON.' },
    once: { type: 'boolean', help: 'Print what is known now, and end.' },
    notify: { type: 'boolean', help: 'Also ask the terminal to notify you of a collision.' },
  },
  async run(terminal, args) {
    if (args.positionals.length > 0) throw usageError('watch takes no paths.')
    if (args.flag('lines') && args.flag('json')) throw usageError('--lines and --json exclude each other.')
    const context = await openCommandContext(terminal, args)
    const ownId = args.flag('mine') ? await requireOwnId(context) : undefined
    terminal.liftTimeLimit()
    const printer = createPrinter(terminal, args)
    const path = `/events${ownId === undefined ? '' : `?activity_id=${encodeURIComponent(ownId)}`}`
    const end = await followEvents({
      api: context.api,
      path,
      signal: terminal.signal,
      silentMs: silentMs(terminal),
      lost: (reason) => terminal.err(`headsup: ${plain(reason)} Trying again.`),
      receive({ event, data }) {
        printer.print(event, asRecord(parseJson(data)))
        return args.flag('once') === true
      },
    })
    if (end === 'held back') {
      terminal.err('headsup: a proxy holds the events back, so the lists are read every 15 s instead.')
      await poll(context, printer, ownId)
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
async function poll(
  { api, terminal, args }: CommandContext,
  printer: Printer,
  ownId: string | undefined,
): Promise<void> {
  const known = new Map<string, string>()
  for (let isFirst = true; !terminal.signal.aborted; isFirst = false) {
    const collisions = recordList(await api.call('GET', `/collisions${ownId ? `?activity_id=${ownId}` : ''}`), 'items')
    const activities = recordList(await api.call('GET', '/activity?limit=100'), 'items')
    const notables = recordList(await api.call('GET', '/notables?limit=100'), 'items')
    if (isFirst) printer.print('snapshot', { activities, notables, collisions })
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
      if (isNews && !isFirst && (ownId === undefined || key.includes(ownId))) printer.print(event, item)
    }
    if (args.flag('once')) return
    await sleep(pollMs, undefined, { signal: terminal.signal }).catch(() => {})
  }
}

interface Printer {
  print(event: string, data: Json): void
}

function createPrinter(terminal: Terminal, args: Args): Printer {
  const style = createStyler(args.flag('lines') ? { colour: false } : terminal)
  const titles = new Map<string, string>()
  const asJson = args.flag('json') === true

  function remember(activities: readonly Json[]): void {
    for (const activity of activities) titles.set(textField(activity, 'id') ?? '', nameOf(activity))
  }

  function collision(pair: Json): string {
    const [newer = '', earlier = ''] = textList(pair, 'activity_ids').map((id) => titles.get(id) ?? id)
    if (pair.gone === true) return `${style('green', 'No longer collides')}: ${newer} and ${earlier}`
    const where = textField(pair, 'example_path')
    const severity = plain(textField(pair, 'severity') ?? '')
    const head = style(severity === 'high' ? 'red' : 'yellow', `Collision, ${severity} severity`)
    return `${head}: ${newer} and ${earlier}${where === undefined ? '' : `, such as ${quoted(where)}`}${describeLines(pair)}`
  }

  function lineOf(event: string, data: Json): string | undefined {
    if (event === 'collision') return collision(data)
    if (event === 'notable')
      return `Notable, ${plain(textField(data, 'status') ?? '')}: ${quoted(textField(data, 'title') ?? '')}`
    if (event !== 'activity') return undefined
    const status = plain(textField(data, 'status') ?? '')
    return `${isLiveRecord(data) ? 'Work' : 'Ended'}, ${status}: ${nameOf(data)}`
  }

  function printSnapshot(data: Json): void {
    const activities = recordList(data, 'activities')
    const collisions = recordList(data, 'collisions')
    terminal.out(
      `${count(activities.length, 'piece')} of live work, ${count(collisions.length, 'collision')}, ${count(recordList(data, 'notables').length, 'notable')}. Text in quotation marks is other people’s.`,
    )
    for (const pair of collisions) terminal.out(collision(pair))
  }

  return {
    print(event, data) {
      if (asJson) {
        terminal.out(JSON.stringify({ event, data }))
        return
      }
      if (event === 'activity') remember([data])
      if (event === 'snapshot') {
        remember(recordList(data, 'activities'))
        printSnapshot(data)
      } else if (event === 'collisions') {
        for (const pair of recordList(data, 'items')) terminal.out(collision(pair))
      } else {
        const line = lineOf(event, data)
        if (line !== undefined) terminal.out(line)
      }
      if (event === 'collision' && data.gone !== true && args.flag('notify')) terminal.out(notification)
    },
  }
}

/** A bell, and the sequence by which many terminals show a notification. */
const notification = '\u0007\u001b]9;Headsup: a collision\u0007'

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}

function nameOf(activity: Json): string {
  const agent = textField(activity, 'agent')
  return `${quoted(textField(activity, 'actor') ?? '')}${agent ? ` with ${quoted(agent)}` : ''}, ${quoted(textField(activity, 'title') ?? '')}`
}

function describeLines({ lines }: Json): string {
  const first: unknown = Array.isArray(lines) ? lines[0] : undefined
  return Array.isArray(first) ? `, lines ${first.map((line) => plain(String(line))).join(' to ')}` : ''
}
