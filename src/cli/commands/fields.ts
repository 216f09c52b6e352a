import { liveStatuses, risks } from '../../enums.ts'
import type { Args, Options } from '../args.ts'
import { type Json, textField } from '../client/json.ts'
import { areaOption } from '../command.ts'
import { usageFault } from '../failure.ts'

/** What `--status` may say: work that starts has not ended, and nobody but the service lets any expire. */
const statuses = { start: liveStatuses, update: [...liveStatuses, 'merged', 'abandoned', 'archived'] } as const
export type Moment = keyof typeof statuses

/** What can be said of work, when it starts and later. */
export function workOptions(moment: Moment) {
  return {
    title: { type: 'string', short: 't', value: 'TEXT', help: 'What the work is, in a line.' },
    summary: { type: 'string', short: 'm', value: 'TEXT', help: 'The same in a sentence or two.' },
    ...areaOption,
    changed: { type: 'boolean', help: 'What is changed counts, besides what is named.' },
    risk: { type: 'string', value: 'RISK', help: `How bad a collision would be: ${risks.join(', ')}.` },
    status: { type: 'string', value: 'STATUS', help: `How it stands: ${statuses[moment].join(', ')}.` },
    'pr-url': { type: 'string', value: 'URL', help: 'Its pull request.' },
    draft: { type: 'boolean', help: 'The pull request is a draft; --no-draft: it is none.' },
    'no-draft': { type: 'boolean', help: '' },
    blocking: { type: 'boolean', help: 'A prominent warning to others; --no-blocking takes it back.' },
    'no-blocking': { type: 'boolean', help: '' },
  } as const satisfies Options
}

/** The fields of the API that the flags name, without the scope. Fails as a fault of usage for a status of another moment. */
export function fieldsOf(args: Args, moment: Moment): Record<string, string | boolean> {
  const status = args.text('status')
  const taken: readonly string[] = statuses[moment]
  if (status !== undefined && !taken.includes(status)) throw usageFault(`--status is one of: ${taken.join(', ')}.`)
  const given = {
    title: args.text('title'),
    summary: args.text('summary'),
    risk: args.text('risk'),
    status,
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
  const wasTitle = textField(before, 'summary') === textField(before, 'title')
  return title !== undefined && summary === undefined && wasTitle ? { ...fields, summary: title } : fields
}
