import { liveStatuses, risks } from '../../core/enums.ts'
import type { Args, Options } from '../args.ts'
import { type Json, textField } from '../client/json.ts'
import { areaOption } from '../command.ts'
import { usageError } from '../failure.ts'

/** The values of `--status`: work that starts has not ended, and only the service sets `expired`. */
const statuses = { start: liveStatuses, update: [...liveStatuses, 'merged', 'abandoned', 'archived'] } as const
export type WorkCommand = keyof typeof statuses

/** The options of `start` and `update` that describe the work. */
export function workOptions(command: WorkCommand) {
  return {
    title: { type: 'string', short: 't', value: 'TEXT', help: 'The work in one line.' },
    summary: { type: 'string', short: 'm', value: 'TEXT', help: 'The work in a sentence or two.' },
    ...areaOption,
    risk: { type: 'string', value: 'RISK', help: `How severe a collision would be: ${risks.join(', ')}.` },
    status: { type: 'string', value: 'STATUS', help: `The status of the work: ${statuses[command].join(', ')}.` },
    'pr-url': { type: 'string', value: 'URL', help: 'The pull request of the work.' },
    draft: { type: 'boolean', help: 'The pull request is a draft; --no-draft: it is not.' },
    'no-draft': { type: 'boolean', help: '' },
    blocking: { type: 'boolean', help: 'Warn others prominently; --no-blocking removes the warning.' },
    'no-blocking': { type: 'boolean', help: '' },
  } as const satisfies Options
}

/** The fields of the API that the flags set, without the scope. Throws a usage error for an invalid status. */
export function fieldsFromFlags(args: Args, command: WorkCommand): Record<string, string | boolean> {
  const status = args.text('status')
  const allowed: readonly string[] = statuses[command]
  if (status !== undefined && !allowed.includes(status))
    throw usageError(`--status must be one of: ${allowed.join(', ')}.`)
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

/** The changes of an activity. A new title is the summary too where the old title was. */
export function changesOf(fields: Record<string, string | boolean>, before: Json): Record<string, string | boolean> {
  const { title, summary } = fields
  const summaryWasTitle = textField(before, 'summary') === textField(before, 'title')
  return title !== undefined && summary === undefined && summaryWasTitle ? { ...fields, summary: title } : fields
}
