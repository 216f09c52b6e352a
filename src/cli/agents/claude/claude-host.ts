import { record, textField } from '../../client/json.ts'
import type { AgentEventKind } from '../agent-event.ts'
import type { Host } from '../host.ts'
import { claudeAnswer, readPayload } from '../payload.ts'
import { namedEdits } from '../tool-edits.ts'

export const claudeKinds: ReadonlyMap<string, AgentEventKind> = new Map([
  ['SessionStart', 'session-start'],
  ['PreToolUse', 'before-edit'],
  ['PostToolUse', 'after-tool'],
  ['SessionEnd', 'session-end'],
])

/** Claude Code (code.claude.com/docs/en/hooks). It is the default if no other host matches. */
export const claudeHost: Host = {
  agent: { id: 'claude-code', name: 'Claude Code' },
  isSender: () => true,
  read: (payload) =>
    readPayload(payload, {
      kinds: claudeKinds,
      eventName: textField(payload, 'hook_event_name'),
      edits: namedEdits(record(payload, 'tool_input')),
    }),
  // The hook after a tool does not block, so what it prints is read a turn later.
  listensAt: ['session-start', 'before-edit'],
  runsInBackground: ['after-tool'],
  write: claudeAnswer,
  showsMessage: true,
}
