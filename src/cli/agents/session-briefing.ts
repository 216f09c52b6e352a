import { quoted } from '../../core/texts/quote.ts'
import { type Json, numberField, numberList, recordList, textField } from '../client/json.ts'
import { factsOf, isOnlyAbout, type ReceivedMessage, relatedIds, withIds } from '../client/messages.ts'
import { describeObservedCount } from '../client/work/list-by-source.ts'
import type { RecordList } from '../client/work/list-records.ts'
import { unknownFacts } from '../hooks/overlap-text.ts'
import { plain } from '../output/plain-text.ts'

export interface Briefing {
  /** The notables that apply now. */
  notables: readonly Json[]
  /** The overlap of what the branch changes. */
  overlap: Json | undefined
  /** Live work of everybody, without the own. */
  activities: RecordList
  /** What is recorded of the branch, in sentences. */
  ownWork: readonly string[]
  now: number
}

/** Together with the other lines they are twelve. */
const mostBlocking = 3
const mostNear = 4
const mostTitles = 3

/** A line, and the ids of the records that it is about. */
type Line = Pick<ReceivedMessage, 'text' | 'ids'>

/**
 * What a model reads when its session starts, in at most twelve lines: blocking notables, who works near the files of the
 * branch, what is open, what is recorded of the own work, and one clause on what to do. `told` are the ids of the lines.
 */
export function sessionBriefing({ notables, overlap, activities, ownWork, now }: Briefing) {
  const blocking = notables.filter((notable) => notable.blocking === true)
  const near = nearLines(overlap, blocking.map(idOf), now)
  const news = [
    ...atMost(
      mostBlocking,
      blocking.map(blockingLine),
      blocking.length,
      (more) => `And ${more} more blocking notables.`,
    ),
    ...atMost(mostNear, near.lines, near.count, (more) => `And ${more} more: \`headsup check\` shows them.`),
  ]
  const open = [...openLine(activities), ...otherNotables(notables.filter((notable) => notable.blocking !== true))]
  const own = ownWork.length > 0 ? [{ text: ownWork.join(' '), ids: [] }] : []
  const lines = [...news, ...open, ...own]
  const texts = lines.map(({ text }) => text)
  const told = lines.flatMap(({ ids }) => ids)
  if (!hasQuotation([...news, ...open]))
    return { lines: texts.map((text, n) => (n > 0 ? text : `Headsup. ${text}`)), told }
  return { lines: [heading, ...texts, ...(hasQuotation(news) ? [whatToDo] : [])], told }
}

const heading = 'Headsup. Text in quotation marks is other people’s:'

/** Whether a line has words of other people. */
function hasQuotation(lines: readonly Line[]): boolean {
  return lines.some(({ text }) => text.includes('“'))
}

const whatToDo =
  'Tell the user what of this touches the task before you go on; `headsup check PATH` and `headsup notable show ID` say more.'

/** The first lines about so many records, and how many records are left out. */
function atMost(most: number, lines: readonly Line[], count: number, rest: (more: number) => string): readonly Line[] {
  if (lines.length <= most) return lines
  const first = lines.slice(0, most - 1)
  const named = new Set(first.flatMap(({ ids }) => ids))
  return [...first, { text: rest(count - named.size), ids: [] }]
}

function blockingLine(notable: Json): Line {
  const text = (key: string) => plain(textField(notable, key) ?? '').slice(0, 400)
  const [title, summary] = [textField(notable, 'title') ?? '', textField(notable, 'summary') ?? '']
  const url = textField(notable, 'decision_url') ?? ''
  const quotation = `${quoted(title)}${summary === title ? '' : `: ${quoted(summary, 400)}`}${url && ` (${quoted(url, 400)})`}`
  const id = idOf(notable)
  const weight = `blocking, ${text('importance')} importance, ${text('category')}`
  return { text: `Headsup notable ${id}, ${weight}: ${quotation}`, ids: [id] }
}

function titleOf(notable: Json): string {
  return `${quoted(textField(notable, 'title') ?? '')} (${idOf(notable)})`
}

/** What the check says, without the notables that are named already, and how many records it is about. */
function nearLines(overlap: Json | undefined, named: readonly string[], now: number): { lines: Line[]; count: number } {
  if (!overlap) return { lines: [], count: 0 }
  const closed = closedLines(overlap)
  const { lines, count } = liveLines(overlap, named, now)
  return { lines: [...closed, ...lines], count: closed.length + count }
}

/** That merged work closed an issue that the work means to close. */
function closedLines(overlap: Json): Line[] {
  const closing = recordList(overlap, 'reuse_opportunities').find((one) => numberList(one, 'issues').length > 0)
  if (!closing) return []
  return [{ text: plain(textField(closing, 'reason') ?? ''), ids: [textField(closing, 'activity_id') ?? ''] }]
}

function liveLines(overlap: Json, named: readonly string[], now: number): { lines: Line[]; count: number } {
  const isNear = overlap.overlap_detected === true || (numberField(overlap, 'nearby_count') ?? 0) > 0
  if (!isNear) return { lines: unknownFacts(overlap, now).map((text) => ({ text, ids: [] })), count: 0 }
  const lines = factsOf(overlap).filter((message) => !isOnlyAbout(message, named))
  const about = new Set([...relatedIds(overlap), ...lines.flatMap(({ ids }) => ids)])
  for (const id of named) about.delete(id)
  return { lines: lines.map((message) => ({ text: withIds(message), ids: message.ids })), count: about.size }
}

function openLine({ items, more }: RecordList): Line[] {
  const isRecorded = (activity: Json) => textField(activity, 'source') === 'recorded'
  const branches = items.filter((activity) => textField(activity, 'source') === 'branch').length
  const recorded = items.filter(isRecorded).length
  const pullRequests = items.length - recorded - branches
  const observed = describeObservedCount({ pull_requests: pullRequests, branches, more: false }, { areOpen: false })
  const counts = [...(recorded > 0 ? [`${recorded} recorded`] : []), ...(observed === undefined ? [] : [observed])]
  return counts.length === 0 ? [] : [{ text: `Open: ${counts.join(', ')}${more ? ', and more' : ''}.`, ids: [] }]
}

function otherNotables(notables: readonly Json[]): Line[] {
  if (notables.length === 0) return []
  const more = notables.length - mostTitles
  const shown = notables.slice(0, mostTitles)
  const titles = shown.map(titleOf).join(', ')
  return [{ text: `Notables: ${titles}${more > 0 ? `, and ${more} more` : ''}.`, ids: shown.map(idOf) }]
}

function idOf(notable: Json): string {
  return plain(textField(notable, 'id') ?? '')
}

/** The part of the overlap that the lines of the briefing are about. The rest is reported later. */
export function toldOverlap(overlap: Json | undefined, told: readonly string[]): Json | undefined {
  if (!overlap) return undefined
  const isTold = (item: Json) => told.includes(textField(item, 'activity_id') ?? '')
  const ofIds = { kind: 'collision', ids: told, text: '' }
  return { ...overlap, messages: [ofIds], collisions: recordList(overlap, 'collisions').filter(isTold) }
}
