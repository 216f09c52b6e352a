import type { Command } from '../command.ts'
import { exitCodes } from '../failure.ts'
import { installOptions, isWanted, tell } from './hook-install.ts'
import { uninstallClaude } from './install-claude.ts'
import { uninstallGit } from './install-git.ts'

export const command: Command = {
  usage: '[claude|git]',
  summary: 'Take the hooks away again, and nothing else.',
  options: installOptions,
  async run(terminal, args) {
    if (isWanted(args, 'git')) tell(terminal, await uninstallGit(terminal))
    if (isWanted(args, 'claude')) tell(terminal, uninstallClaude(terminal, args))
    return exitCodes.fine
  },
}
