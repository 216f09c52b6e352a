import { type Command, InvalidArgumentError, Option } from 'commander'
import { safeJson } from '../../core/texts/quote.ts'
import { type CommonOptions, type Context, openContext } from '../context.ts'
import { exitCodes, type Terminal, usageError } from '../terminal.ts'

/** What each file of this folder exports: it adds its command to the program. */
export type AddCommand = (program: Command, terminal: Terminal) => void

/** Adds the flags that say which repository of which service is meant. */
export function withRepositoryOptions(command: Command): Command {
  return command
    .option('--repo <owner/name>', 'the repository; by default that of the clone')
    .option('--url <address>', 'the address of the service; by default HEADSUP_URL, else the setting headsup.url')
}

/** Adds the flags of commands that print an answer of the service. */
export function withCommonOptions(command: Command): Command {
  return withRepositoryOptions(command).option('--json', 'print JSON')
}

/** Adds the flags of commands about the record of a branch. */
export function withBranchOptions(command: Command): Command {
  return withCommonOptions(command).option(
    '--branch <name>',
    'the branch of the work; by default the one that is checked out',
  )
}

/** Adds the flags of commands about what a branch changes. */
export function withWorkOptions(command: Command): Command {
  return withBranchOptions(command)
    .option('--base <name>', 'the branch that it will merge into, if that is not the default branch')
    .option('--issue <number>', 'an issue that it means to close; may be repeated', collectIssues)
    .addOption(new Option('--no-issue', 'take no issue from the name of the branch').argParser(noIssue))
}

function noIssue(_: string, before: unknown): false {
  if (before !== undefined) throw bothIssues()
  return false
}

function bothIssues(): Error {
  return usageError('--issue names one and --no-issue leaves it out: write one of the two.')
}

function collectIssues(text: string, before: unknown): number[] {
  if (before === false) throw bothIssues()
  if (!/^#?[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It must be the number of an issue.')
  return [...(Array.isArray(before) ? before : []), Number(text.replace('#', ''))]
}

/** For a flag that may be repeated. */
export function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text]
}

/** What a command prints, and exits with where that is not 0. */
export interface Printed {
  /** By `--json`. */
  json: unknown
  lines: readonly string[]
  exitCode?: number
}

/** Opens the context, runs, and prints what that returns; nothing where the command prints by itself. */
export async function withContext(
  terminal: Terminal,
  options: CommonOptions,
  run: (context: Context) => Promise<Printed | undefined>,
): Promise<void> {
  const printed = await run(await openContext(terminal, options))
  if (printed === undefined) return
  const { json, lines, exitCode = exitCodes.ok } = printed
  // Before it prints: it ends with this too where its reader has gone.
  terminal.exitCode = exitCode
  for (const line of options.json ? [safeJson(json, 2)] : lines) terminal.out(line)
}

export async function notePublic({ terminal, repository, repositoryFacts }: Context): Promise<void> {
  if (!(await repositoryFacts()).isPublic) return
  terminal.err(`Note: ${repository.owner}/${repository.name} is public: everybody can read what is recorded.`)
}
