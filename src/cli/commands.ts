import type { Command } from './command.ts'

interface Entry {
  summary: string
  /** Read when it is needed: each file costs part of a millisecond at every start. */
  load(): Promise<{ command: Command }>
}

/** By what the words after `headsup` begin with. */
export const commands: Readonly<Record<string, Entry>> = {
  check: { summary: 'Does this collide with work in flight?', load: () => import('./check.ts') },
  list: { summary: 'Who works on what.', load: () => import('./list.ts') },
}
