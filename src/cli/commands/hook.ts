import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Argument } from 'commander'
import { type AgentWord, agentWords } from '../agents/agents.ts'
import { allowNotes, hookCommand, installHooks, pathOf, uninstallHooks } from '../agents/install.ts'
import { runAgentHook, runGitHook } from '../agents/run-hook.ts'
import type { CommonOptions } from '../context.ts'
import { findTop } from '../git/find-top.ts'
import { Failure, type Terminal } from '../terminal.ts'
import { type AddCommand, notePublic, withContext, withRepositoryOptions } from './command.ts'

export const addHook: AddCommand = (program, terminal) => {
  const hook = program
    .command('hook')
    .summary('let coding agents and git ask by themselves')
    .description(
      'Installs the hooks of coding agents in this work tree, and is what they call. Hooks advise and never block.',
    )
  withRepositoryOptions(hook.command('install'))
    .summary('write the hooks into the settings of an agent')
    .description(
      'Writes hooks into the settings file that an agent has in this work tree. At the start of a session and after each ' +
        'edit the agent is then told what its branch collides with. Says what you have to allow.',
    )
    .addArgument(whichAgent('the agents that this machine has'))
    .action((agent: AgentWord | undefined, options: CommonOptions) => install(terminal, agent, options))
  hook
    .command('uninstall')
    .summary('take them away again; nothing stays')
    .description('Takes the hooks out of the settings files in this work tree. All else in these files stays as it is.')
    .addArgument(whichAgent('all agents'))
    .action((agent: AgentWord | undefined) => uninstall(terminal, agent))
  for (const agent of agentWords) {
    // Whatever it is called with, it ends with 0: another exit status would block an agent.
    hook
      .command(agent, { hidden: true })
      .option('--url <address>', 'the address that `hook install` found')
      .allowUnknownOption()
      .allowExcessArguments()
      .action(({ url }: { url?: string }) => (url === undefined ? undefined : runAgentHook(terminal, agent, url)))
  }
  hook
    .command('git')
    .summary('for a hook of git: record the work of the branch, and say what is new')
    .description(
      'Records what the branch changes, and says new collisions of high severity and new blocking notables, each once a ' +
        'day. It always ends with 0. Call it in a post-commit hook, with husky: echo "headsup hook git" >> .husky/post-commit',
    )
    .option('--url <address>', 'the address of the service')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(({ url }: { url?: string }) => runGitHook(terminal, url))
}

function whichAgent(byDefault: string): Argument {
  return new Argument('[agent]', `by default ${byDefault}`).choices(agentWords)
}

async function install(terminal: Terminal, agent: AgentWord | undefined, options: CommonOptions): Promise<void> {
  await withContext(terminal, options, async (context) => {
    const { tree, service } = context
    if (tree === undefined) throw new Failure('Hooks are installed in a work tree of the repository: go into one.')
    const program = [process.execPath, process.argv[1] ?? '']
    for (const one of agent === undefined ? agentsOf(terminal) : [agent]) {
      const hasChanged = installHooks(tree.top, one, hookCommand(one, service, terminal, program))
      terminal.out(`${pathOf(one)}: ${hasChanged ? 'hooks installed' : 'the hooks are there already'}.`)
      const { code } = await tree.git(['check-ignore', '--quiet', '--', pathOf(one)])
      if (code === 1) terminal.out('git does not ignore this file: whoever gets it with a commit has the hooks too.')
      terminal.out(allowNotes[one])
    }
    await notePublic(context)
    return undefined
  })
}

function uninstall(terminal: Terminal, agent: AgentWord | undefined): void {
  const place = findTop(terminal.cwd)
  if (place === undefined) throw new Failure('This is no work tree: go into the one whose hooks should go.')
  const removed = (agent === undefined ? agentWords : [agent]).filter((one) => uninstallHooks(place.top, one))
  for (const one of removed) terminal.out(`${pathOf(one)}: hooks removed.`)
  if (removed.length === 0) terminal.out('No hooks are installed here.')
}

const homes: Readonly<Record<AgentWord, string>> = {
  claude: '.claude',
  codex: '.codex',
  gemini: '.gemini',
  opencode: '.config/opencode',
}

function agentsOf({ env, out }: Terminal): AgentWord[] {
  const home = env.HOME || homedir()
  const found = agentWords.filter((agent) => existsSync(join(home, homes[agent])))
  if (found.length > 0) return found
  out(`No agent has settings in ${home}: these are the hooks of Claude Code. Name another: ${agentWords.join(', ')}.`)
  return ['claude']
}
