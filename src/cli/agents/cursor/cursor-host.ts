import { type Json, textField } from '../../client/json.ts'
import type { AgentEventKind } from '../agent-event.ts'
import { claudeKinds } from '../claude/claude-host.ts'
import type { Host } from '../host.ts'
import { contextText, namedFiles, readPayload, toolArguments } from '../payload.ts'

/** Cursor's own names of the events, and those of Claude Code, whose settings it reads. */
const kinds: ReadonlyMap<string, AgentEventKind> = new Map([
  ...claudeKinds,
  ['sessionStart', 'session-start'],
  ['preToolUse', 'before-edit'],
  ['postToolUse', 'after-tool'],
  ['sessionEnd', 'session-end'],
])

const editTools = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Delete']

/** Cursor: its model is told after an edit, and when a session starts. */
export const cursorHost: Host = {
  agent: { id: 'cursor', name: 'Cursor' },
  isSender: (payload) => textField(payload, 'cursor_version') !== undefined,
  read: (payload) =>
    readPayload(payload, { kinds, eventName: textField(payload, 'hook_event_name'), files: editedFiles(payload) }),
  listensAt: ['session-start', 'after-tool'],
  write: (_, { lines }) => (lines.length > 0 ? { additional_context: contextText(lines) } : {}),
  showsMessage: false,
}

function editedFiles(payload: Json): string[] {
  const isEdit = editTools.includes(textField(payload, 'tool_name') ?? '')
  return isEdit ? namedFiles(toolArguments(payload.tool_input)) : []
}
