import { userInfo } from 'node:os'
import { type Command, Option } from 'commander'
import { levels } from '../../core/enums.ts'
import { withoutUndefined } from '../../core/without-undefined.ts'
import type { ActivityChange, NewActivity } from '../api.ts'
import type { CommonOptions, Context } from '../context.ts'
import { automaticTitle } from '../own-work/own-record.ts'
import { collect, withWorkOptions } from './command.ts'

export interface WorkOptions extends CommonOptions {
  title?: string
  summary?: string
  actor?: string
  agent?: string
  area?: string[]
  risk?: (typeof levels)[number]
  blocking?: boolean
  pr?: string
  draft?: boolean
}

/** Adds the flags that describe work. */
export function withRecordOptions(command: Command): Command {
  return withWorkOptions(command)
    .option('--title <text>', 'a short name for the work; new work is by default “Work on BRANCH”')
    .option('--summary <text>', 'one or two lines about it; for new work by default the title')
    .option('--agent <name>', 'the coding agent that works, if it is not you alone')
    .option('--area <label>', 'an area that the work is in; may be repeated', collect)
    .addOption(new Option('--risk <level>', 'how much harm a collision would do').choices(levels))
    .option('--blocking', 'a prominent warning to others; it locks nothing')
    .option('--no-blocking', 'take that warning back')
    .option('--pr <url>', 'its pull request; the one of the branch is found without it')
    .option('--draft', 'that pull request is a draft')
}

/** What was given of the description; the defaults are those of a new record. */
export function describedBy(options: WorkOptions): ActivityChange {
  const { title, summary, agent, risk, blocking, pr: pr_url, draft: draft_pr } = options
  return withoutUndefined({ title, summary, agent, risk, blocking, pr_url, draft_pr })
}

/** What a new record says of itself where nothing was given. */
export function newWork(context: Context, options: WorkOptions): Pick<NewActivity, 'title' | 'summary' | 'actor'> {
  const { branch, config } = context
  const title = options.title ?? automaticTitle(branch)
  const actor = options.actor ?? config.get('user.name')?.trim().slice(0, 100)
  return { title, summary: options.summary ?? title, actor: actor || userInfo().username }
}
