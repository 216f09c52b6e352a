import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Args, Options } from '../args.ts'
import type { Command } from '../command.ts'
import { exitCodes, usageFault } from '../failure.ts'
import { plain } from '../plain-text.ts'
import type { Terminal } from '../terminal.ts'
import type { Program } from './git-hook-script.ts'
import { installClaude } from './install-claude.ts'
import { installGit } from './install-git.ts'

export const installOptions = {
  local: { type: 'boolean', help: "Claude Code: the project's settings of yours alone, .claude/settings.local.json." },
  user: { type: 'boolean', help: 'Claude Code: your settings for all projects.' },
} as const satisfies Options

/** What was done, a line each. */
export function tell(terminal: Terminal, lines: readonly string[]): void {
  for (const line of lines) terminal.out(plain(line))
}

export const command: Command = {
  usage: '[claude|git]',
  summary: 'Have Claude Code and git check by themselves, in this repository.',
  notes: 'Without a name: both. Other hooks are left as they are and still run; installing twice changes nothing.',
  options: installOptions,
  async run(terminal, args) {
    const program = programFor(terminal)
    if (isWanted(args, 'git')) tell(terminal, await installGit(terminal, program))
    if (isWanted(args, 'claude')) tell(terminal, installClaude(terminal, args, program))
    return exitCodes.fine
  },
}

export function isWanted(args: Args, kind: 'claude' | 'git'): boolean {
  const [name, ...more] = args.positionals
  if (more.length > 0 || (name !== undefined && name !== 'claude' && name !== 'git')) {
    throw usageFault('The hooks are those of claude, or of git.')
  }
  if (args.flag('local') && args.flag('user')) throw usageFault('--local and --user exclude each other.')
  return name === undefined || name === kind
}

/** `headsup` where the PATH has it, so that the file can be shared; else this very program. */
function programFor({ env, program }: Terminal): Program {
  const isOnPath = (env.PATH ?? '')
    .split(delimiter)
    .some((directory) => directory !== '' && existsSync(join(directory, 'headsup')))
  if (isOnPath) return { isThere: 'command -v headsup >/dev/null 2>&1', call: 'headsup', isOnPath }
  const [node = '', script = ''] = program.map((path) => `'${path.replaceAll('\\', '/').replaceAll("'", "'\\''")}'`)
  return { isThere: `[ -e ${script} ]`, call: `${node} ${script}`, isOnPath }
}
