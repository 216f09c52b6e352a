import { introduction, quoted } from '../../core/texts/quote.ts'
import { type Json, record, recordList, textField, textList } from '../client/json.ts'
import { describeMissing } from '../client/observed-state.ts'
import { isLiveRecord } from '../client/work/find-activity.ts'
import { createCollisionNotifications } from '../collision-notifications.ts'
import { createStyler, type Styler, type Terminal } from '../terminal.ts'
import { describeIssues } from './describe-issues.ts'
import { plain, safeJson } from './plain-text.ts'

export interface EventPrinter {
  /** Prints an event of the stream, or nothing. */
  print(event: string, data: Json): void
}

interface PrinterOptions {
  /** Without colours. */
  lines?: boolean
  json?: boolean
  notify?: boolean
  /** Only this activity and its collisions are printed. */
  ownId?: string | undefined
}

/** Prints the events of a repository, one line each. */
export function createEventPrinter(terminal: Terminal, { lines, json, notify, ownId }: PrinterOptions): EventPrinter {
  const style = createStyler(lines ? { colour: false } : terminal)
  const names = new Map<string, string>()
  const notifications = createCollisionNotifications()
  /** The severity of each pair that was printed, by its activities. */
  const printed = new Map<string, string>()
  let isComplete = true
  const isWanted = (ids: readonly string[]) => ownId === undefined || ids.includes(ownId)

  function remember(activities: readonly Json[]): void {
    notifications.remember(activities)
    for (const activity of activities) names.set(textField(activity, 'id') ?? '', workLabel(activity))
  }

  function printCollisions(pairs: readonly Json[]): void {
    const wanted = pairs.filter((pair) => isWanted(textList(pair, 'activity_ids')))
    for (const pair of wanted) {
      printed.set(pairKey(pair), severityOf(pair))
      terminal.out(describePair(pair, names, style))
    }
    if (notify && notifications.areDue(wanted)) terminal.out(notification)
  }

  /** Says where the absence of a collision says nothing, and when that is over. */
  function printCompleteness(data: Json): void {
    const isNowComplete = data.collisions_complete !== false
    if (isNowComplete && !isComplete) terminal.out('All live work is compared now.')
    if (!isNowComplete) terminal.out('Not all live work is compared yet: there may be more collisions.')
    isComplete = isNowComplete
  }

  function printSnapshot(data: Json): void {
    const activities = recordList(data, 'activities')
    const collisions = recordList(data, 'collisions')
    const notables = recordList(data, 'notables')
    remember(activities)
    const cut = record(data, 'truncated')
    const counts = [
      `${count(activities.length, 'piece', cut.activities)} of live work`,
      count(collisions.length, 'collision', cut.collisions),
      count(notables.length, 'notable', cut.notables),
    ]
    terminal.out(`${counts.join(', ')}. ${introduction}.`)
    printed.clear()
    printCollisions(collisions)
    isComplete = true
    printCompleteness(data)
    const missing = describeMissing(record(data, 'observed'))
    if (missing !== undefined) terminal.out(missing)
  }

  return {
    print(event, data) {
      if (json) terminal.out(safeJson({ event, data }, 0))
      else if (event === 'snapshot') printSnapshot(data)
      else if (event === 'collisions') {
        // These are all pairs. Most are printed already.
        const isNews = (pair: Json) => printed.get(pairKey(pair)) !== severityOf(pair)
        printCollisions(recordList(data, 'items').filter(isNews))
        printCompleteness(data)
      } else if (event === 'collision') printCollisions([data])
      else if (event === 'notable') terminal.out(describeNotable(data))
      else if (event === 'activity') {
        remember([data])
        if (isWanted([textField(data, 'id') ?? ''])) terminal.out(describeActivity(data))
      }
    },
  }
}

/** A bell, and the sequence by which many terminals show a notification. */
const notification = '\u0007\u001b]9;Headsup: a collision\u0007'

/** One line about two activities that collide, or no longer do. `names` holds those of the activities. */
export function describePair(pair: Json, names: ReadonlyMap<string, string>, style: Styler): string {
  const outside = textList(pair, 'outside_ids')
  const [newer = '', earlier = ''] = textList(pair, 'activity_ids').map(
    (id) => `${names.get(id) ?? plain(id)}${outside.includes(id) ? ' from outside' : ''}`,
  )
  if (pair.gone === true) return `${style('green', 'No longer collides')}: ${newer} and ${earlier}`
  const path = textField(pair, 'example_path')
  const issues = describeIssues(pair)
  const places = `${issues && `, ${issues}`}${path === undefined ? '' : `, such as ${quoted(path)}`}${describeLines(pair)}`
  const severity = plain(textField(pair, 'severity') ?? '')
  const what = pair.same_change === true ? 'Same change' : 'Collision'
  const head = style(severity === 'high' ? 'red' : 'yellow', `${what}, ${severity} severity`)
  return `${head}: ${newer} and ${earlier}${places}`
}

function describeLines({ lines }: Json): string {
  const first: unknown = Array.isArray(lines) ? lines[0] : undefined
  if (!Array.isArray(first)) return ''
  const [from = '', to = ''] = first.map((line) => plain(String(line)))
  return from === to ? `, line ${from}` : `, lines ${from}–${to}`
}

function describeNotable(notable: Json): string {
  return `Notable, ${plain(textField(notable, 'status') ?? '')}: ${quoted(textField(notable, 'title') ?? '')}`
}

function describeActivity(activity: Json): string {
  return `${isLiveRecord(activity) ? 'Work' : 'Ended'}, ${plain(textField(activity, 'status') ?? '')}: ${workLabel(activity)}`
}

/** Who works on what. Of a pull request that nobody recorded only the number: its title may be a stranger's. The title of a branch is its name. */
export function workLabel(activity: Json): string {
  const agent = textField(activity, 'agent')
  const actor = textField(activity, 'actor') ?? ''
  const who = `${quoted(actor)}${agent && agent !== actor ? ` with ${quoted(agent)}` : ''}`
  const number = /\/pull\/(\d+)$/.exec(textField(activity, 'pr_url') ?? '')?.[1]
  if (activity.source === 'pull_request' && number) return `${who}, pull request #${number}`
  if (activity.source === 'branch') return `${who}, pushed branch ${quoted(textField(activity, 'branch') ?? '')}`
  return `${who}, ${quoted(textField(activity, 'title') ?? '')}`
}

/** Where more are left out, the number is the least. */
function count(number: number, what: string, isCut: unknown): string {
  return `${number}${isCut === true ? '+' : ''} ${what}${number === 1 && isCut !== true ? '' : 's'}`
}

function severityOf(pair: Json): string {
  return pair.gone === true ? '' : (textField(pair, 'severity') ?? '')
}

function pairKey(pair: Json): string {
  return textList(pair, 'activity_ids').sort().join(' ')
}
