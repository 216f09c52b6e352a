import { pullName } from '../../core/names.ts'
import { untilDay } from '../../core/notable.ts'
import type { Activity } from '../../core/schemas/activity.ts'
import type { Notable } from '../../core/schemas/notable.ts'
import type { Scope } from '../../core/schemas/scope.ts'
import { quoted, quotedPath } from '../../core/texts/quote.ts'
import { freshnessOf } from '../../core/texts/sentence.ts'
import { joined } from '../../core/texts/words.ts'
import type { Context } from '../context.ts'
import { plain } from './plain.ts'

/** An activity on one line: `act_… “title”, “alice” with “claude-code” on “fix/login”, seen 2 h ago, in “src/auth”`. */
export function activityLine(activity: Activity, { repository, terminal }: Context): string {
  const { id, title, actor, agent, branch, status, blocking, source, scope } = activity
  const isPull = source === 'pull_request'
  const pull = pullName(activity, `${repository.owner}/${repository.name}`)
  // The author of a pull request may be a stranger: nothing of it is quoted but number and login.
  const name = isPull ? `Pull request ${pull}` : quoted(title)
  const who = `${quoted(actor)}${agent === null || isPull ? '' : ` with ${quoted(agent)}`}`
  const seen = freshnessOf(activity, new Date(terminal.now()))
  const places = placesOf(scope)
  return [
    `${id}  ${name}, ${who}${branch === null ? '' : ` on ${quoted(branch)}`}`,
    status === 'active' ? '' : status,
    blocking ? 'blocking' : '',
    seen,
    (!isPull && pull) || '',
    places && `in ${places}`,
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function placesOf({ areas, paths }: Scope): string {
  return joined([...areas.map((area) => `area ${quoted(area)}`), ...paths.map(quotedPath)])
}

/** A notable in two or three lines. */
export function notableLines(notable: Notable): string[] {
  const { id, title, summary, category, importance, blocking, decision_url, scope } = notable
  const facts = [
    ...[category, `${importance} importance`, blocking ? 'blocking' : '', `until ${untilDay(notable)}`],
    `about ${placesOf(scope) || 'the whole repository'}`,
  ]
  return [
    `${id}  ${quoted(title)}`,
    `  ${facts.filter((fact) => fact !== '').join(', ')}`,
    ...(summary === title ? [] : [`  ${quoted(summary)}`]),
    ...(decision_url === null ? [] : [`  ${plain(decision_url)}`]),
  ]
}
