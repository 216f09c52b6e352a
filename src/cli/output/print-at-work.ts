import { type Json, record } from '../client/json.ts'
import { describeMissing } from '../client/observed-state.ts'
import { listRecordedFirst } from '../client/work/list-by-source.ts'
import type { CommandContext } from '../command-context.ts'
import { activityLine } from './print-records.ts'

/** The limit for recorded activities, and for observed ones. */
const mostShown = 10

/** Prints who works on what in the repository, one line each, and what has not been read. */
export async function printAtWork({ api, repository, terminal }: CommandContext, overlap: Json): Promise<void> {
  const { items, more } = await listRecordedFirst(api, {}, mostShown)
  terminal.out(items.length > 0 ? `At work in ${repository}:` : `Nobody is known to be at work in ${repository}.`)
  for (const activity of items) terminal.out(`  ${activityLine(activity, terminal.now())}`)
  if (more) terminal.out('  There are more: `headsup list --all` shows them.')
  const missing = describeMissing(record(overlap, 'observed'))
  if (missing !== undefined) terminal.out(missing)
}
