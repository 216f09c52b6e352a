import type { Args, Options } from './args.ts'
import type { ExitCode } from './failure.ts'
import type { Terminal } from './terminal.ts'

export interface Command {
  /** What comes after the command's name. */
  usage: string
  /** One sentence. */
  summary: string
  /** More to know, below the flags. */
  notes?: string
  options: Options
  run(terminal: Terminal, args: Args): Promise<ExitCode>
}

/** Of every command that asks the service. */
export const sharedOptions = {
  url: {
    type: 'string',
    value: 'URL',
    help: 'The service. Else HEADSUP_URL, the git setting headsup.url, http://127.0.0.1:3000.',
  },
  insecure: { type: 'boolean', help: 'Send the token to another machine over plain http.' },
  repo: { type: 'string', value: 'OWNER/NAME', help: "The repository. Else that of the work tree's remote." },
  json: { type: 'boolean', help: 'Print what the service answers, for machines.' },
} as const satisfies Options

export const branchOptions = {
  branch: { type: 'string', value: 'NAME', help: 'The branch. Else the one that is checked out.' },
  base: { type: 'string', value: 'NAME', help: 'The branch that this one was begun from.' },
} as const satisfies Options

export const areaOption = {
  area: {
    type: 'string',
    short: 'a',
    multiple: true,
    value: 'LABEL',
    help: 'An area that is touched. May be repeated.',
  },
} as const satisfies Options

export const idOption = {
  id: { type: 'string', value: 'ID', help: 'The activity. Else the one that was started here.' },
} as const satisfies Options
