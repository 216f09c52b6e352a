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
  listensAt: ['session-start', 'before-edit', 'after-tool'],
  write: claudeAnswer,
  showsMessageAt: ['session-start', 'before-edit'],
}
