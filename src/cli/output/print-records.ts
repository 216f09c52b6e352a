import { notableSeverity } from '../../core/rules/severity.ts'
import { readableGlob } from '../../core/scope/glob/escape.ts'
import { ago } from '../../core/texts/age.ts'
import { quoted, quotedPath } from '../../core/texts/quote.ts'
import { type Json, numberField, record, textField, textList } from '../client/json.ts'
import { isLiveRecord } from '../client/work/find-activity.ts'
import type { RecordList } from '../client/work/list-records.ts'
import { createStyler, type Terminal } from '../terminal.ts'
import { describeIssues } from './describe-issues.ts'
import { formatRelativeTime, plain } from './plain-text.ts'

interface ListOptions {
  print(terminal: Terminal, record: Json): void
  /** The line for a list without records. */
  ifEmpty: string
  /** The limit of the request. */
  limit: number
}

/** Prints a list of records, and says how to see more of them. */
export function printList(
  terminal: Terminal,
  { items, more }: RecordList,
  { print, ifEmpty, limit }: ListOptions,
): void {
  for (const item of items) print(terminal, item)
  if (items.length === 0) terminal.out(ifEmpty)
  if (more) terminal.out(`There are more: use --limit ${limit * 2}.`)
}

/** An activity in one line: what, who, on which branch, how fresh and where. */
export function activityLine(activity: Json, now: number): string {
  const { title, branch, who } = namesOf(activity)
  const seen = textField(activity, 'heartbeat_at') ?? textField(activity, 'created_at')
  const blocking = activity.blocking === true ? 'blocking' : ''
  const facts = isObserved(activity)
    ? [branch, blocking, describePush(activity, now)]
    : [
        branch,
        blocking,
        seen === undefined ? '' : `seen ${ago(new Date(seen), new Date(now))}`,
        scopeParts(activity, 3).join(' '),
      ]
  return `${title}: ${[who, ...facts].filter((fact) => fact !== '').join(', ')}`
}

function namesOf(activity: Json): { title: string; branch: string; who: string } {
  const quote = (key: string) => quotation(textField(activity, key))
  const agent = quote('agent')
  const who = `${quote('actor')}${agent && ` with ${agent}`}`
  if (isObserved(activity)) {
    return { title: describeNumber(activity), branch: describeHead(textField(activity, 'branch') ?? ''), who }
  }
  return { title: quote('title'), branch: quote('branch') && `on ${quote('branch')}`, who }
}

/** Prints an activity in two to five lines. */
export function printActivity(terminal: Terminal, activity: Json): void {
  const style = createStyler(terminal)
  const text = (key: string) => plain(textField(activity, key) ?? '')
  const base = quotation(textField(activity, 'base_branch'))
  const isRecorded = !isObserved(activity)
  const { title, branch, who } = namesOf(activity)
  const facts = [
    text('id'),
    text('status'),
    describeBlocking(activity, style),
    branch && `${branch}${base && ` from ${base}`}`,
    isRecorded && isLiveRecord(activity)
      ? `expires ${formatRelativeTime(textField(activity, 'expires_at') ?? '', terminal.now())}`
      : '',
    isRecorded ? '' : describePush(activity, terminal.now()),
  ]
  terminal.out(`${style('bold', title)}: ${who}`)
  terminal.out(`  ${facts.filter((fact) => fact !== '').join(', ')}`)
  const issues = describeIssues(activity)
  if (issues) terminal.out(`  ${issues}`)
  if (isRecorded) printScope(terminal, activity)
  if (text('pr_url')) terminal.out(`  ${text('pr_url')}${activity.draft_pr === true ? ' (draft)' : ''}`)
}

/** `Pull request #12`, or `Pushed branch`: agents read lists too, and the author of its title may be a stranger (docs/rules.md#strangers-words). */
function describeNumber(activity: Json): string {
  const number = /\/pull\/(\d+)$/.exec(textField(activity, 'pr_url') ?? '')?.[1]
  return number === undefined ? 'Pushed branch' : `Pull request #${number}`
}

/** The branch of a pull request; of a fork's only the owner. */
function describeHead(branch: string): string {
  const [owner, ...rest] = branch.split(':')
  return rest.length > 0 ? `from a fork of ${quotation(owner)}` : branch && `on ${quotation(branch)}`
}

/** Whether the service sees the work by itself, as an open pull request or a pushed branch. */
function isObserved(activity: Json): boolean {
  return (textField(activity, 'source') ?? 'recorded') !== 'recorded'
}

/** `5 files, pushed 2 h ago` */
function describePush(activity: Json, now: number): string {
  const files = numberField(record(activity, 'changes'), 'files_total')
  const pushed = textField(activity, 'heartbeat_at')
  return [
    files === undefined ? 'files not read yet' : files === 1 ? '1 file' : `${files} files`,
    ...(pushed === undefined ? [] : [`pushed ${ago(new Date(pushed), new Date(now))}`]),
  ].join(', ')
}

/** Prints a notable in two to four lines. */
export function printNotable(terminal: Terminal, notable: Json): void {
  const style = createStyler(terminal)
  const text = (key: string) => plain(textField(notable, key) ?? '')
  const [title, summary] = ['title', 'summary'].map((key) => textField(notable, key) ?? '')
  terminal.out(`${style('bold', quotation(title))}${summary === title ? '' : `: ${quotation(summary, 2_000)}`}`)
  const severity = notableSeverity({ blocking: notable.blocking === true, importance: text('importance') })
  const author = quotation(textField(notable, 'author_login'))
  const facts = [
    ...['id', 'status', 'category'].map(text),
    describeBlocking(notable, style),
    `${severity === 'high' ? style('red', 'high') : severity} severity`,
    author && `raised by ${author}`,
    describeEnd(notable, terminal.now()),
  ]
  terminal.out(`  ${facts.filter((fact) => fact !== '').join(', ')}`)
  printScope(terminal, notable)
  const url = quotation(textField(notable, 'decision_url'), 2_048)
  if (url) terminal.out(`  ${url}`)
}

function describeBlocking({ blocking }: Json, style: ReturnType<typeof createStyler>): string {
  return blocking === true ? style('red', 'blocking') : ''
}

/** When an active notable stops applying: at `applies_until` or `expires_at`, whichever is first. Else empty. */
export function describeEnd(notable: Json, now: number): string {
  const ends = ['applies_until', 'expires_at'].flatMap((key) => textField(notable, key) ?? [])
  const [first] = ends.sort((a, b) => Date.parse(a) - Date.parse(b))
  if (notable.status !== 'active' || first === undefined) return ''
  return `${Date.parse(first) < now ? 'ended' : 'ends'} ${formatRelativeTime(first, now)}`
}

function printScope(terminal: Terminal, from: Json): void {
  const parts = scopeParts(from, 8)
  if (parts.length > 0) terminal.out(`  ${parts.join('  ')}`)
}

/** Areas and paths, or without paths the directories of the changed files (docs/rules.md#changed-directories). */
function scopeParts(from: Json, mostPaths: number): string[] {
  const scope = record(from, 'scope')
  const areas = textList(scope, 'areas').map((area) => `area ${quoted(area)}`)
  const paths = textList(scope, 'paths').map(readableGlob)
  const changed = paths.length === 0 ? textList(from, 'scope_changed') : []
  const places = (changed.length > 0 ? changed : paths).map((path) => quotedPath(plain(path)))
  const more = places.length - mostPaths
  const shown = [...places.slice(0, mostPaths), ...(more > 0 ? [`and ${more} more`] : [])]
  return [...areas, ...(changed.length > 0 ? ['changes in'] : []), ...shown]
}

/** A text in quotation marks; empty where there is none. */
function quotation(text: string | undefined, most?: number): string {
  return text ? quoted(text, most) : ''
}
