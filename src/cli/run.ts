import { readArgs } from './args.ts'
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { type ExitCode, exitCodes, Failure, usageFault } from './failure.ts'
import { helpOf, overview } from './help.ts'
import { plain } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

/** Runs `headsup` with these arguments; every failure is a line on stderr. What git or an agent runs ends with 0 always. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first, second = ''] = argv
  const code = await runTelling(argv, terminal)
  return first === 'hook' && ['claude', 'git'].includes(second) ? exitCodes.fine : code
}

async function runTelling(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    return await runCommand(argv, terminal)
  } catch (error) {
    if (error instanceof Failure) {
      terminal.err(`headsup: ${plain(error.message)}`)
      return error.exitCode
    }
    // Not the 1 of an overlap, which Node would end with.
    terminal.err(
      `headsup: this should not happen: ${error instanceof Error ? (error.stack ?? '') : plain(String(error))}`,
    )
    return exitCodes.notAsked
  }
}

async function runCommand(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [first, ...rest] = argv
  if (first === undefined || first === '--help' || first === '-h' || (first === 'help' && rest.length === 0)) {
    terminal.out(overview())
    return exitCodes.fine
  }
  const asksHelp = first === 'help'
  const { name, command, left } = await find(asksHelp ? rest : argv)
  const end = left.includes('--') ? left.indexOf('--') : left.length
  if (asksHelp || left.slice(0, end).some((word) => word === '--help' || word === '-h')) {
    terminal.out(helpOf(name, command))
    return exitCodes.fine
  }
  return command.run(terminal, readArgs(left, command.options, name))
}

/** The command whose name the words begin with, the longest that fits. */
async function find(words: readonly string[]): Promise<{ name: string; command: Command; left: string[] }> {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (entry && words.length >= length)
      return { name, command: (await entry.load()).command, left: words.slice(length) }
  }
  const [word = ''] = words
  const below = Object.keys(commands).filter((name) => name.startsWith(`${word} `))
  if (below.length > 0) throw usageFault(`headsup ${word} is one of: ${below.join(', ')}.`)
  throw usageFault(
    `${word.startsWith('-') ? 'Unknown flag' : 'No such command:'} ${word}. \`headsup help\` lists the commands.`,
  )
}
