import { importances } from '../../../core/enums.ts'
import type { Args, Options } from '../../args.ts'
import { usageError } from '../../failure.ts'

export const notableOptions = {
  summary: { type: 'string', short: 'm', value: 'TEXT', help: 'What to look out for, in a sentence or two.' },
  importance: { type: 'string', value: 'IMPORTANCE', help: `One of ${importances.join(', ')}.` },
  'decision-url': { type: 'string', value: 'URL', help: 'The document with the decision.' },
  until: { type: 'string', value: 'TIME', help: 'The end of the notable: a date, an RFC 3339 time, or none.' },
  blocking: { type: 'boolean', help: 'Warn others prominently; --no-blocking removes the warning.' },
  'no-blocking': { type: 'boolean', help: '' },
} as const satisfies Options

/** The fields of the API that the flags set. */
export function notableFields(args: Args): Record<string, string | boolean | null> {
  const until = args.text('until')
  const given = {
    summary: args.text('summary'),
    importance: args.text('importance'),
    decision_url: args.text('decision-url'),
    applies_until: until === undefined ? undefined : instantOf(until),
    blocking: args.flag('blocking'),
  }
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** A date means the end of that day in the local time zone. `none` removes the end. */
function instantOf(text: string): string | null {
  if (text === 'none') return null
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return text
  const end = new Date(`${text}T23:59:59`)
  // JavaScript reads 30 February as 2 March.
  if (end.getDate() !== Number(text.slice(-2))) throw usageError(`--until is not a date: ${text}`)
  return end.toISOString()
}

/** The only argument of a command, an id, encoded for a URL. */
export function onlyId(args: Args, name: string): string {
  const [id, ...more] = args.positionals
  if (id === undefined || more.length > 0)
    throw usageError(`${name} takes one id, such as ntb_01h455vb4pex5vsknk084sn02q.`)
  return encodeURIComponent(id)
}
