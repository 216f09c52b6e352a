import { readArgs } from './args.ts'
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { type ExitCode, exitCodes, Failure, usageFault } from './failure.ts'
import { commandsBelow, groupHelp, helpOf, overview } from './help.ts'
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
  const [first] = argv
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const asksHelp = first === undefined || first === 'help'
  if (asksHelp || argv.slice(0, end).some((word) => word === '--help' || word === '-h')) {
    const words = (first === 'help' ? argv.slice(1) : argv).filter((word) => !word.startsWith('-'))
    terminal.out(await helpAbout(words))
    return exitCodes.fine
  }
  const { name, command, left } = await find(argv)
  return command.run(terminal, readArgs(left, command.options, name))
}

async function helpAbout(words: readonly string[]): Promise<string> {
  const [word, ...more] = words
  if (word === undefined || word === 'help') return overview()
  const group = more.length === 0 ? groupHelp(word) : undefined
  if (group !== undefined) return group
  const { name, command } = await find(words)
  return helpOf(name, command)
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
  const below = commandsBelow(word)
  if (below.length > 0) throw usageFault(`headsup ${word} is one of: ${below.join(', ')}.`)
  throw usageFault(
    `${word.startsWith('-') ? 'Unknown flag' : 'No such command:'} ${word}. \`headsup help\` lists the commands.`,
  )
}
