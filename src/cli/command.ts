import type { Args, Options } from './args.ts'
import type { ExitCode } from './failure.ts'
import type { Terminal } from './terminal.ts'

export interface Command {
  /** The arguments after the command's name, without the flags. */
  usage: string
  /** One sentence. */
  summary: string
  /** More sentences below the summary. */
  notes?: string
  /** One or two lines to copy; none for what only programs run. */
  examples: readonly string[]
  options: Options
  run(terminal: Terminal, args: Args): Promise<ExitCode>
}

/** Options of every command that calls the service. */
export const sharedOptions = {
  url: {
    type: 'string',
    value: 'URL',
    help: 'The service. Default: HEADSUP_URL, the git setting headsup.url, the service that handed out this file, http://127.0.0.1:3000.',
  },
  insecure: { type: 'boolean', help: 'Allow plain http to another machine.' },
  repo: { type: 'string', value: 'OWNER/NAME', help: "The repository. Default: that of the work tree's remote." },
  json: { type: 'boolean', help: 'Print the response of the service as JSON.' },
} as const satisfies Options

export const branchOptions = {
  branch: { type: 'string', value: 'NAME', help: 'The branch. Default: the one that is checked out.' },
  base: { type: 'string', value: 'NAME', help: 'The base branch. Default: found from git.' },
} as const satisfies Options

/** An option of the commands that print an overlap. */
export const idsOption = {
  ids: { type: 'boolean', help: 'Print the ids of what is named.' },
} as const satisfies Options

export const areaOption = {
  area: {
    type: 'string',
    short: 'a',
    multiple: true,
    value: 'LABEL',
    help: 'An area that the work touches. May be repeated.',
  },
} as const satisfies Options

export const idOption = {
  id: { type: 'string', value: 'ID', help: 'The activity. Default: the one that was started here.' },
} as const satisfies Options

export const mergeOption = {
  'no-merge': { type: 'boolean', help: 'Do not try the merge with the work of others.' },
} as const satisfies Options
