import { chosenPlace, uninstallAgentHooks } from '../agents/install/install-agent-hooks.ts'
import type { Command } from '../command.ts'
import { exitCodes } from '../failure.ts'
import { chosenHooks, hookUsage, installOptions, printLines } from './hook-install.ts'
import { uninstallGitHooks } from './install-git-hooks.ts'
import { describeUninstalled } from './uninstalled.ts'

export const command: Command = {
  usage: hookUsage,
  summary: 'Remove the hooks of Headsup, and nothing else.',
  notes: 'Without a name: claude and git.',
  examples: ['headsup hook uninstall git'],
  options: installOptions,
  async run(terminal, args) {
    const { git, agents } = chosenHooks(args)
    const { files, notes } = git ? await uninstallGitHooks(terminal) : { files: [], notes: [] }
    const settings = agents.map((name) => uninstallAgentHooks(name, terminal, chosenPlace(args)))
    printLines(terminal, [...files.map(describeUninstalled), ...notes, ...settings.map(describeUninstalled)])
    return exitCodes.ok
  },
}
