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
    const tell = (lines: string[]) => {
      for (const line of lines) terminal.out(plain(line))
    }
    if (isWanted(args, 'git')) tell(await uninstallGit(terminal))
    if (isWanted(args, 'claude')) tell(await uninstallClaude(terminal, args))
    return exitCodes.fine
  },
}
