import type { namedHosts } from './agents/hosts.ts'
import type { Command } from './command.ts'

interface Entry {
  summary: string
  /** Imports the command when it runs, which keeps the start fast. */
  load(): Promise<{ command: Command }>
}

type HostName = keyof typeof namedHosts

function agentHook(name: HostName, summary: string): Entry {
  return { summary, load: async () => ({ command: (await import('./agents/hook-agent.ts')).agentHook(name) }) }
}

const agentHooks: Readonly<Record<`hook ${HostName}`, Entry>> = {
  'hook claude': agentHook('claude', 'Run by Claude Code, and by agents that read its settings.'),
  'hook codex': agentHook('codex', 'Run by Codex.'),
  'hook cursor': agentHook('cursor', 'Run by Cursor.'),
  'hook gemini': agentHook('gemini', 'Run by Gemini CLI.'),
  'hook copilot': agentHook('copilot', 'Run by Copilot CLI.'),
  'hook opencode': agentHook('opencode', 'Run by the plugin of opencode.'),
}

/** By the first one or two words after `headsup`. */
export const commands: Readonly<Record<string, Entry>> = {
  check: {
    summary: 'Check whether your changes collide with work in flight.',
    load: () => import('./commands/check.ts'),
  },
  start: { summary: 'Record the work that you start.', load: () => import('./commands/start.ts') },
  beat: { summary: 'Send a heartbeat: the work goes on.', load: () => import('./commands/beat.ts') },
  update: { summary: 'Change the recorded work.', load: () => import('./commands/update.ts') },
  done: { summary: 'Finish the work.', load: () => import('./commands/done.ts') },
  list: { summary: 'List who works on what.', load: () => import('./commands/list.ts') },
  collisions: { summary: 'List which work collides with which.', load: () => import('./commands/collisions.ts') },
  watch: { summary: 'Print what happens in the repository, as it happens.', load: () => import('./commands/watch.ts') },
  status: {
    summary: 'Say what is recorded of your work here, and who collides with it.',
    load: () => import('./commands/status.ts'),
  },
  doctor: {
    summary: 'Say what works here and what does not.',
    load: () => import('./commands/doctor.ts'),
  },
  open: { summary: "Open the repository's page in the browser, signed in.", load: () => import('./commands/open.ts') },
  upgrade: {
    summary: 'Replace the single file headsup.mjs by the newest.',
    load: () => import('./commands/upgrade.ts'),
  },
  uninstall: {
    summary: 'Remove the hooks, the settings and this program.',
    load: () => import('./commands/uninstall.ts'),
  },
  'notable list': {
    summary: 'List what to know before starting.',
    load: () => import('./commands/notable/notable-list.ts'),
  },
  'notable raise': {
    summary: 'Announce what everybody should know.',
    load: () => import('./commands/notable/notable-raise.ts'),
  },
  'notable show': { summary: 'Show a notable.', load: () => import('./commands/notable/notable-show.ts') },
  'notable update': { summary: 'Change a notable.', load: () => import('./commands/notable/notable-update.ts') },
  'notable done': { summary: 'Archive a notable.', load: () => import('./commands/notable/notable-done.ts') },
  'hook install': {
    summary: 'Install the hooks of coding agents and git.',
    load: () => import('./hooks/hook-install.ts'),
  },
  'hook uninstall': { summary: 'Remove the hooks.', load: () => import('./hooks/hook-uninstall.ts') },
  ...agentHooks,
  'hook git': { summary: 'Run by git.', load: () => import('./hooks/hook-git.ts') },
}
