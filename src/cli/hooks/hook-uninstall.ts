import { uninstallClaudeHooks } from '../agents/claude/install-claude-hooks.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../failure.ts'
import { installOptions, isWanted, printLines } from './hook-install.ts'
import { uninstallGitHooks } from './install-git-hooks.ts'

export const command: Command = {
  usage: '[claude|git]',
  summary: 'Remove the hooks of Headsup, and nothing else.',
  notes: 'Without a name: both.',
  options: installOptions,
  async run(terminal, args) {
    if (isWanted(args, 'git')) printLines(terminal, await uninstallGitHooks(terminal))
    if (isWanted(args, 'claude')) printLines(terminal, uninstallClaudeHooks(terminal, args))
    return exitCodes.ok
  },
}
