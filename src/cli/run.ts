import { Command, CommanderError } from 'commander'
import { addCheck } from './commands/check.ts'
import { addCollisions } from './commands/collisions.ts'
import { addDoctor } from './commands/doctor.ts'
import { addDone } from './commands/done.ts'
import { addHook } from './commands/hook.ts'
import { addList } from './commands/list.ts'
import { addNotable } from './commands/notable.ts'
import { addOpen } from './commands/open.ts'
import { addStart } from './commands/start.ts'
import { addUpdate } from './commands/update.ts'
import { addWatch } from './commands/watch.ts'
import { plain } from './print/plain.ts'
import { exitCodes, Failure, type Terminal } from './terminal.ts'
import { version } from './version.ts'

const commands = [
  ...[addCheck, addStart, addUpdate, addDone, addList, addCollisions, addWatch, addNotable, addOpen, addDoctor],
  addHook,
]

const help = `
First: \`headsup check\` says whether what you do collides with work in flight. It advises and never blocks.
Set the address of your service once: git config --global headsup.url https://headsup.example.com
\`headsup doctor\` says what works and what to do where something does not.`

/** Runs a command, and returns what the program exits with. An unexpected error is 3: 1 means that work collides. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await programOf(terminal).parseAsync([...argv], { from: 'user' })
    return terminal.exitCode
  } catch (error) {
    // commander has said what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    if (error instanceof Failure) {
      terminal.err(`headsup: ${plain(error.message)}`)
      return error.exitCode
    }
    terminal.err(`headsup: an unexpected error: ${plain(String(error instanceof Error ? error.stack : error))}`)
    return exitCodes.failure
  }
}

/** All commands, as commander knows them. */
export function programOf(terminal: Terminal): Command {
  const program = new Command('headsup')
    .description('Does what you are about to do collide with work in flight?')
    .version(version)
    .addHelpText('after', help)
    .showHelpAfterError('See --help for what can be written here.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text.replace(/\n$/, '')),
      writeErr: (text) => terminal.err(text.replace(/\n$/, '')),
    })
  for (const add of commands) add(program, terminal)
  return program
}
