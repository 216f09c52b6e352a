import { isLiveRecord } from './client/find-activity.ts'
import { type Json, record, textField, textList } from './client/json.ts'
import { plain, plainGlob, when } from './plain-text.ts'
import { painter, type Terminal } from './terminal.ts'

/** An activity in two or three lines. */
export function printActivity(terminal: Terminal, activity: Json): void {
  const paint = painter(terminal)
  const words = (key: string) => plain(textField(activity, key) ?? '')
  const agent = words('agent')
  const branch = words('branch')
  const base = words('base_branch')
  const facts = [
    words('id'),
    activity.blocking === true ? paint('red', 'blocking') : '',
    words('status'),
    `${words('risk')} risk`,
    branch && `on ${branch}${base && ` from ${base}`}`,
    isLiveRecord(activity) ? `expires ${when(textField(activity, 'expires_at') ?? '', terminal.now())}` : '',
  ]
  terminal.out(`${paint('bold', words('title'))}: ${words('actor')}${agent && ` with ${agent}`}`)
  terminal.out(`  ${facts.filter((fact) => fact !== '').join(', ')}`)
  printScope(terminal, activity)
  if (words('pr_url')) terminal.out(`  ${words('pr_url')}${activity.draft_pr === true ? ' (draft)' : ''}`)
}

/** A notable in two or three lines. */
export function printNotable(terminal: Terminal, notable: Json): void {
  const paint = painter(terminal)
  const words = (key: string) => plain(textField(notable, key) ?? '')
  const blocking = notable.blocking === true ? `${paint('red', 'blocking')}, ` : ''
  const summary = words('summary') === words('title') ? '' : `: ${words('summary')}`
  terminal.out(`${paint('bold', words('title'))}${summary}`)
  const end = endOf(notable, terminal.now())
  terminal.out(
    `  ${words('id')}, ${blocking}${words('status')}, ${words('category')}, ${words('importance')} importance${end && `, ${end}`}`,
  )
  printScope(terminal, notable)
  if (words('decision_url')) terminal.out(`  ${words('decision_url')}`)
}

/** When a notable counts no longer: what it says stops being so, or its record expires. Empty where its status tells. */
export function endOf(notable: Json, now: number): string {
  const ends = ['applies_until', 'expires_at'].flatMap((key) => textField(notable, key) ?? [])
  const [first] = ends.sort((a, b) => Date.parse(a) - Date.parse(b))
  if (notable.status !== 'active' || first === undefined) return ''
  return `${Date.parse(first) < now ? 'ended' : 'ends'} ${when(first, now)}`
}

function printScope(terminal: Terminal, from: Json): void {
  const scope = record(from, 'scope')
  const paths = textList(scope, 'paths').map(plainGlob)
  const shown = paths.length > 8 ? [...paths.slice(0, 8), `and ${paths.length - 8} more`] : paths
  const areas = textList(scope, 'areas').map((area) => `area ${plain(area)}`)
  if (shown.length + areas.length > 0) terminal.out(`  ${[...areas, ...shown].join('  ')}`)
}
