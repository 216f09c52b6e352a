import { importances } from '../../enums.ts'
import type { Args, Options } from '../args.ts'
import { usageFault } from '../failure.ts'

export const notableOptions = {
  summary: { type: 'string', short: 'm', value: 'TEXT', help: 'What to look out for, in a sentence or two.' },
  importance: { type: 'string', value: 'IMPORTANCE', help: `One of ${importances.join(', ')}.` },
  'decision-url': { type: 'string', value: 'URL', help: 'The document behind it.' },
  until: { type: 'string', value: 'TIME', help: 'When it stops being so: a date, an RFC 3339 time, or none.' },
  blocking: { type: 'boolean', help: 'A prominent warning to others; --no-blocking takes it back.' },
  'no-blocking': { type: 'boolean', help: '' },
} as const satisfies Options

/** The fields of the API that the flags name. */
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

/** A date alone is the end of that day where the caller is; `none` takes away what was said. */
function instantOf(text: string): string | null {
  if (text === 'none') return null
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return text
  const end = new Date(`${text}T23:59:59`)
  // JavaScript reads 30 February as 2 March.
  if (end.getDate() !== Number(text.slice(-2))) throw usageFault(`--until is no date: ${text}`)
  return end.toISOString()
}

/** The one id that a command is about. */
export function onlyId(args: Args, name: string): string {
  const [id, ...more] = args.positionals
  if (id === undefined || more.length > 0)
    throw usageFault(`${name} takes one id, such as ntb_01h455vb4pex5vsknk084sn02q.`)
  return encodeURIComponent(id)
}
