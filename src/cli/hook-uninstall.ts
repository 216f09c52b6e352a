import type { Command } from './command.ts'
import { exitCodes } from './failure.ts'
import { installOptions, isWanted } from './hook-install.ts'
import { uninstallClaude } from './install-claude.ts'
import { uninstallGit } from './install-git.ts'
import { plain } from './plain-text.ts'

export const command: Command = {
  usage: '[claude|git]',
  summary: 'Take the hooks away again, and nothing else.',
  options: installOptions,
  async run(terminal, args) {
    const lines = [
      ...(isWanted(args, 'git') ? await uninstallGit(terminal) : []),
      ...(isWanted(args, 'claude') ? await uninstallClaude(terminal, args) : []),
    ]
    for (const line of lines) terminal.out(plain(line))
    return exitCodes.fine
  },
}
