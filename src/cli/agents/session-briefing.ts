import { quoted } from '../../overlap/quote.ts'
import { type Json, numberField, recordList, textField } from '../client/json.ts'
import { describeObservedCount } from '../client/list-by-source.ts'
import type { RecordList } from '../client/list-records.ts'
import { unknownFacts } from '../hooks/overlap-text.ts'
import { plain, plainLines } from '../output/plain-text.ts'

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

/**
 * What a model reads when its session starts, in at most twelve lines: blocking notables, who works near the files of the
 * branch, what is open, what is recorded of the own work, and one clause on what to do.
 */
export function sessionBriefing({ notables, overlap, activities, ownWork, now }: Briefing): string[] {
  const blocking = notables.filter((notable) => notable.blocking === true)
  const news = [
    ...atMost(mostBlocking, blocking.map(blockingLine), (more) => `And ${more} more blocking notables.`),
    ...atMost(mostNear, nearLines(overlap, blocking, now), (more) => `And ${more} more: \`headsup check\` shows them.`),
  ]
  const open = [...openLine(activities), ...otherNotables(notables.filter((notable) => notable.blocking !== true))]
  const own = ownWork.length > 0 ? [ownWork.join(' ')] : []
  if (hasQuotation([...news, ...open])) {
    return [heading, ...news, ...open, ...own, ...(hasQuotation(news) ? [whatToDo] : [])]
  }
  return [...news, ...open, ...own].map((line, n) => (n > 0 || line.startsWith('Headsup') ? line : `Headsup. ${line}`))
}

const heading = 'Headsup. Text in quotation marks is other people’s:'

/** Whether a line has words of other people. */
function hasQuotation(lines: readonly string[]): boolean {
  return lines.some((line) => line.includes('“'))
}

const whatToDo =
  'Tell the user what of this touches the task before you edit; `headsup check PATH` and `headsup notable show ID` say more.'

/** The first lines, and how many are left out. */
function atMost(most: number, lines: readonly string[], rest: (more: number) => string): readonly string[] {
  if (lines.length <= most) return lines
  const leftOut = lines.slice(most - 1).reduce((count, line) => count + countIn(line), 0)
  return [...lines.slice(0, most - 1), rest(leftOut)]
}

/** A line is about one record. The last of a reason may say how many more there are. */
function countIn(line: string): number {
  return Number(/^And (\d+) more: /.exec(line)?.[1] ?? 1)
}

function blockingLine(notable: Json): string {
  const text = (key: string) => plain(textField(notable, key) ?? '').slice(0, 400)
  const [title, summary] = [textField(notable, 'title') ?? '', textField(notable, 'summary') ?? '']
  const url = textField(notable, 'decision_url') ?? ''
  const quotation = `${quoted(title)}${summary === title ? '' : `: ${quoted(summary, 400)}`}${url && ` (${quoted(url, 400)})`}`
  return `Headsup notable ${idOf(notable)}, blocking, ${text('importance')} importance, ${text('category')}: ${quotation}`
}

function titleOf(notable: Json): string {
  return `${quoted(textField(notable, 'title') ?? '')} (${idOf(notable)})`
}

/** What the check says, without the notables that are named already. */
function nearLines(overlap: Json | undefined, named: readonly Json[], now: number): string[] {
  if (!overlap) return []
  const isNear = overlap.overlap_detected === true || (numberField(overlap, 'nearby_count') ?? 0) > 0
  if (!isNear) return unknownFacts(overlap, now)
  const ids = named.map(idOf)
  return plainLines(textField(overlap, 'reason') ?? '').filter(
    (line) => !ids.some((id) => id && line.includes(`(${id})`)),
  )
}

function openLine({ items, more }: RecordList): string[] {
  const isRecorded = (activity: Json) => textField(activity, 'source') === 'recorded'
  const branches = items.filter((activity) => textField(activity, 'source') === 'branch').length
  const recorded = items.filter(isRecorded).length
  const pullRequests = items.length - recorded - branches
  const observed = describeObservedCount({ pull_requests: pullRequests, branches, more: false }, { areOpen: false })
  const counts = [...(recorded > 0 ? [`${recorded} recorded`] : []), ...(observed === undefined ? [] : [observed])]
  return counts.length === 0 ? [] : [`Open: ${counts.join(', ')}${more ? ', and more' : ''}.`]
}

function otherNotables(notables: readonly Json[]): string[] {
  if (notables.length === 0) return []
  const more = notables.length - mostTitles
  const titles = notables.slice(0, mostTitles).map(titleOf).join(', ')
  return [`Notables: ${titles}${more > 0 ? `, and ${more} more` : ''}.`]
}

function idOf(notable: Json): string {
  return plain(textField(notable, 'id') ?? '')
}

/** The part of the overlap that the lines contain. The rest is reported later. */
export function toldOverlap(overlap: Json | undefined, lines: readonly string[]): Json | undefined {
  if (!overlap) return undefined
  const text = lines.join('\n')
  const isTold = (item: Json) => text.includes(textField(item, 'activity_id') ?? '')
  return { ...overlap, reason: text, collisions: recordList(overlap, 'collisions').filter(isTold) }
}
