import { liveStatuses, risks } from '../vocabulary.ts'
import type { Args, Options } from './args.ts'
import { type Json, text } from './json.ts'

/** What can be said of work, when it starts and later. */
export const workOptions = {
  title: { type: 'string', short: 't', value: 'TEXT', help: 'What the work is, in a line.' },
  summary: { type: 'string', short: 'm', value: 'TEXT', help: 'The same in a sentence or two.' },
  area: {
    type: 'string',
    short: 'a',
    multiple: true,
    value: 'LABEL',
    help: 'An area that is touched. May be repeated.',
  },
  changed: { type: 'boolean', help: 'What is changed counts, besides what is named.' },
  risk: { type: 'string', value: 'RISK', help: `How bad a collision would be: ${risks.join(', ')}.` },
  status: { type: 'string', value: 'STATUS', help: `How it stands: ${liveStatuses.join(', ')}.` },
  'pr-url': { type: 'string', value: 'URL', help: 'Its pull request.' },
  draft: { type: 'boolean', help: 'The pull request is a draft; --no-draft: it is none.' },
  'no-draft': { type: 'boolean', help: '' },
  blocking: { type: 'boolean', help: 'A prominent warning to others; --no-blocking takes it back.' },
  'no-blocking': { type: 'boolean', help: '' },
} as const satisfies Options

/** The fields of the API that the flags name, without the scope. */
export function fieldsOf(args: Args): Record<string, string | boolean> {
  const given = {
    title: args.text('title'),
    summary: args.text('summary'),
    risk: args.text('risk'),
    status: args.text('status'),
    pr_url: args.text('pr-url'),
    draft_pr: args.flag('draft'),
    blocking: args.flag('blocking'),
  }
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Changes of an activity: a new title is its summary too, where the old one was. */
export function changesOf(fields: Record<string, string | boolean>, before: Json): Record<string, string | boolean> {
  const { title, summary } = fields
  const wasTitle = text(before, 'summary') === text(before, 'title')
  return title !== undefined && summary === undefined && wasTitle ? { ...fields, summary: title } : fields
}
