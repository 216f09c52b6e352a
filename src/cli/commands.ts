import type { Command } from './command.ts'

interface Entry {
  summary: string
  /** Read when it is needed: each file costs part of a millisecond at every start. */
  load(): Promise<{ command: Command }>
}

/** By what the words after `headsup` begin with. */
export const commands: Readonly<Record<string, Entry>> = {
  check: { summary: 'Does this collide with work in flight?', load: () => import('./commands/check.ts') },
  start: { summary: 'Record what you are about to do.', load: () => import('./commands/start.ts') },
  beat: { summary: 'The work goes on.', load: () => import('./commands/beat.ts') },
  update: { summary: 'Change what is recorded of it.', load: () => import('./commands/update.ts') },
  done: { summary: 'Finish it.', load: () => import('./commands/done.ts') },
  list: { summary: 'Who works on what.', load: () => import('./commands/list.ts') },
  'notable list': { summary: 'What to know before starting.', load: () => import('./commands/notable-list.ts') },
  'notable raise': { summary: 'Tell everybody what to know.', load: () => import('./commands/notable-raise.ts') },
  'notable show': { summary: 'One of them.', load: () => import('./commands/notable-show.ts') },
  'notable update': { summary: 'Change what it says.', load: () => import('./commands/notable-update.ts') },
  'notable done': { summary: 'Take it back.', load: () => import('./commands/notable-done.ts') },
  'hook install': { summary: 'Have Claude Code and git check.', load: () => import('./hooks/hook-install.ts') },
  'hook uninstall': { summary: 'Take that back.', load: () => import('./hooks/hook-uninstall.ts') },
  'hook claude': { summary: 'Run by Claude Code.', load: () => import('./hooks/hook-claude.ts') },
  'hook git': { summary: 'Run by git.', load: () => import('./hooks/hook-git.ts') },
}
