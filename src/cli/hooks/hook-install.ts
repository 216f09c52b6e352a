import { type Installable, installable } from '../agents/install/hook-files.ts'
import { chosenPlace, installAgentHooks } from '../agents/install/install-agent-hooks.ts'
import type { Args, Options } from '../args.ts'
import type { Command } from '../command.ts'
import { exitCodes, Failure, usageError } from '../failure.ts'
import { plain } from '../output/plain-text.ts'
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

export const hookUsage = `[${installable.join('|')}|git|all]`

const noWindsurf =
  'Windsurf has no hook that can tell its model something without blocking the edit: connect it by MCP, or put the text for AGENTS.md into the project (docs/agents.md).'

export const command: Command = {
  usage: hookUsage,
  summary: 'Install the hooks of coding agents and git in this repository.',
  notes:
    'Without a name: claude and git. Cursor, Copilot CLI and VS Code read the hooks of claude too; each runs once. Other hooks stay and still run. Installing again changes nothing.',
  examples: ['headsup hook install', 'headsup hook install all'],
  options: installOptions,
  async run(terminal, args) {
    const program = findProgram(terminal)
    const { git, agents } = chosenHooks(args)
    if (git) {
      const { lines, toCopy } = await installGitHooks(terminal, program)
      printLines(terminal, lines)
      for (const line of toCopy) terminal.out(line)
    }
    for (const name of agents) printLines(terminal, installAgentHooks(name, terminal, chosenPlace(args), program))
    return exitCodes.ok
  },
}

interface ChosenHooks {
  git: boolean
  agents: readonly Installable[]
}

/** The hooks that the arguments name. */
export function chosenHooks(args: Args): ChosenHooks {
  const [name, ...more] = args.positionals
  if (args.flag('local') && args.flag('user')) throw usageError('--local and --user exclude each other.')
  if (name === 'windsurf') throw new Failure(exitCodes.refused, noWindsurf)
  if (more.length === 0) {
    if (name === undefined) return { git: true, agents: ['claude'] }
    if (name === 'all') return { git: true, agents: installable }
    if (name === 'git') return { git: true, agents: [] }
    const agent = installable.find((known) => known === name)
    if (agent) return { git: false, agents: [agent] }
  }
  throw usageError(`Name the hooks of one of: ${installable.join(', ')}, git, all; or no name for claude and git.`)
}
