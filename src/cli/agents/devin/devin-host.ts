import { claudeHost } from '../claude/claude-host.ts'
import type { Host } from '../host.ts'

/** Devin runs the hooks in Claude Code's settings, with Claude Code's payloads. */
export const devinHost: Host = {
  ...claudeHost,
  agent: { id: 'devin', name: 'Devin' },
  // Whether it reads the answer of a hook after a tool is not known.
  listensAt: ['session-start', 'before-edit'],
  isSender: (_, env) => Boolean(env.DEVIN_PROJECT_DIR),
}
