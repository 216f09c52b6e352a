import { installClaudeHooks } from '../agents/claude/install-claude-hooks.ts'
import type { Args, Options } from '../args.ts'
import type { Command } from '../command.ts'
import { exitCodes, usageError } from '../failure.ts'
import { plain } from '../plain-text.ts'
import type { Terminal } from '../terminal.ts'
import { installGitHooks } from './install-git-hooks.ts'
import { findProgram } from './program.ts'

export const installOptions = {
  local: { type: 'boolean', help: 'Claude Code: your own settings in this project, .claude/settings.local.json.' },
  user: { type: 'boolean', help: 'Claude Code: your settings for all projects.' },
} as const satisfies Options

export function printLines(terminal: Terminal, lines: readonly string[]): void {
  for (const line of lines) terminal.out(plain(line))
}

export const command: Command = {
  usage: '[claude|git]',
  summary: 'Install the hooks of Claude Code and git in this repository.',
  notes: 'Without a name: both. Other hooks stay and still run. Installing again changes nothing.',
  options: installOptions,
  async run(terminal, args) {
    const program = findProgram(terminal)
    if (isWanted(args, 'git')) printLines(terminal, await installGitHooks(terminal, program))
    if (isWanted(args, 'claude')) printLines(terminal, installClaudeHooks(terminal, args, program))
    return exitCodes.ok
  },
}

export function isWanted(args: Args, kind: 'claude' | 'git'): boolean {
  const [name, ...more] = args.positionals
  if (more.length > 0 || (name !== undefined && name !== 'claude' && name !== 'git')) {
    throw usageError('Name the hooks of claude or of git, or no name for both.')
  }
  if (args.flag('local') && args.flag('user')) throw usageError('--local and --user exclude each other.')
  return name === undefined || name === kind
}
