import type { Args } from '../args.ts'
import { type Command, sharedOptions } from '../command.ts'
import { usageFault } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { beforeEdit } from './claude-edit.ts'
import { type ClaudeEvent, messageReply, readClaudeEvent } from './claude-event.ts'
import { startSession, whileWorking } from './claude-session.ts'
import { endSession } from './claude-session-end.ts'
import { withinLimit } from './hook-limit.ts'
import { findHookContext, type HookContext, isRecent } from './hook-state.ts'

export interface ClaudeCall {
  terminal: Terminal
  args: Args
  event: ClaudeEvent
  hook: HookContext
}

const handlers: Readonly<Record<string, (call: ClaudeCall) => Promise<void>>> = {
  SessionStart: startSession,
  PreToolUse: beforeEdit,
  PostToolUse: whileWorking,
  SessionEnd: endSession,
}

export const command: Command = {
  usage: '',
  summary: 'Run by Claude Code, with the event on stdin. Never fails, never takes over a second.',
  options: { url: sharedOptions.url, repo: sharedOptions.repo },
  run(terminal, args) {
    // Claude Code shows its user what the JSON on stdout says, but for the end of a session.
    let isShown = true
    const tell = (line: string) => (isShown ? terminal.out(messageReply(line)) : terminal.err(line))
    const work = async (limited: Terminal) => {
      const event = readClaudeEvent(await limited.readInput())
      isShown = event !== undefined && event.name !== 'SessionEnd'
      if (!event) throw usageFault('what is on stdin is no event of Claude Code.')
      // No `Note:` on stderr: it would be nobody's.
      await handle({ ...limited, cwd: event.cwd ?? limited.cwd, err: () => {} }, args, event)
    }
    return withinLimit(terminal, work, tell)
  },
}

async function handle(terminal: Terminal, args: Args, event: ClaudeEvent): Promise<void> {
  const handler = Object.hasOwn(handlers, event.name) ? handlers[event.name] : undefined
  const hook = handler && (await findHookContext(terminal))
  if (!hook) return
  // A service that is away holds up one edit a minute, not each.
  if (event.name.endsWith('ToolUse') && isRecent(hook.state.failed, terminal.now())) return
  try {
    await handler({ terminal, args, event, hook })
  } catch (error) {
    await hook.save({ failed: terminal.now() }).catch(() => {})
    throw error
  }
}
