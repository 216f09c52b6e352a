import { didYouMean } from '../core/lib/did-you-mean.ts'
import { readArgs } from './args.ts'
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { type ExitCode, exitCodes, Failure, usageError } from './failure.ts'
import { commandsInGroup, groupHelp, helpOf, overview } from './help.ts'
import { plain, plainLines } from './output/plain-text.ts'
import { introducing, type Terminal } from './terminal.ts'

/** Runs `headsup` with these arguments. Every failure is a line on stderr. Hooks of git and of agents exit with 0. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first, second = ''] = argv
  const code = await runReportingErrors(argv, terminal)
  const isHook =
    first === 'hook' && !['install', 'uninstall'].includes(second) && Object.hasOwn(commands, `hook ${second}`)
  return isHook ? exitCodes.ok : code
}

async function runReportingErrors(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    return await runCommand(argv, terminal)
  } catch (error) {
    if (error instanceof Failure) {
      terminal.err(`headsup: ${plain(error.message)}`)
      return error.exitCode
    }
    // Node itself would exit with 1, which means an overlap.
    terminal.err(`headsup: unexpected error: ${describeUnexpected(error)}`)
    return exitCodes.unavailable
  }
}

async function runCommand(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first] = argv
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const isHelp = first === undefined || first === 'help'
  if (isHelp || argv.slice(0, end).some((word) => word === '--help' || word === '-h')) {
    const words = (first === 'help' ? argv.slice(1) : argv).filter((word) => !word.startsWith('-'))
    terminal.out(await helpFor(words))
    return exitCodes.ok
  }
  const { name, command, rest } = await findCommand(argv)
  return command.run(terminal.isInteractive ? terminal : introducing(terminal), readArgs(rest, command.options, name))
}

function describeUnexpected(error: unknown): string {
  return plainLines(error instanceof Error ? (error.stack ?? '') : String(error)).join('\n')
}

async function helpFor(words: readonly string[]): Promise<string> {
  const [word, ...more] = words
  if (word === undefined || word === 'help') return overview()
  const group = more.length === 0 ? groupHelp(word) : undefined
  if (group !== undefined) return group
  const { name, command } = await findCommand(words)
  return helpOf(name, command)
}

/** Of the names of all commands, without the rest of a group. */
const firstWords = [...new Set(Object.keys(commands).map((name) => name.split(' ')[0] ?? ''))]

/** The command whose name the words start with, the longest first. */
async function findCommand(words: readonly string[]): Promise<{ name: string; command: Command; rest: string[] }> {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (entry && words.length >= length)
      return { name, command: (await entry.load()).command, rest: words.slice(length) }
  }
  const [word = '', next = ''] = words
  const group = commandsInGroup(word)
  if (group.length > 0) {
    const hint = didYouMean(`${word} ${next}`, group)
    throw usageError(`headsup ${word} needs one of: ${group.join(', ')}.${hint}`)
  }
  const what = word.startsWith('-') ? 'Unknown flag' : 'No such command:'
  throw usageError(`${what} ${word}.${didYouMean(word, firstWords)} \`headsup help\` lists the commands.`)
}
