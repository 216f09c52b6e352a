import { uninstallAgentHooks } from '../agents/install/install-agent-hooks.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../failure.ts'
import { chosenHooks, hookUsage, installOptions, printLines } from './hook-install.ts'
import { uninstallGitHooks } from './install-git-hooks.ts'

export const command: Command = {
  usage: hookUsage,
  summary: 'Remove the hooks of Headsup, and nothing else.',
  notes: 'Without a name: claude and git.',
  examples: ['headsup hook uninstall git'],
  options: installOptions,
  async run(terminal, args) {
    const { git, agents } = chosenHooks(args)
    if (git) printLines(terminal, await uninstallGitHooks(terminal))
    for (const name of agents) printLines(terminal, uninstallAgentHooks(name, terminal, args))
    return exitCodes.ok
  },
}
