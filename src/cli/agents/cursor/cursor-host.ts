import type { NamedEdit } from '../../../core/changes/edits/parse-patch.ts'
import { type Json, textField } from '../../client/json.ts'
import type { AgentEventKind } from '../agent-event.ts'
import { claudeKinds } from '../claude/claude-host.ts'
import type { Host } from '../host.ts'
import { contextText, readPayload, toolArguments } from '../payload.ts'
import { namedEdits } from '../tool-edits.ts'

/** Cursor's own names of the events, and those of Claude Code, whose settings it reads. */
const kinds: ReadonlyMap<string, AgentEventKind> = new Map([
  ...claudeKinds,
  ['sessionStart', 'session-start'],
  ['preToolUse', 'before-edit'],
  ['postToolUse', 'after-tool'],
  ['sessionEnd', 'session-end'],
])

const editTools = ['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Delete']

/** Cursor: its model reads the output of hooks after an edit and at the start of a session. */
export const cursorHost: Host = {
  agent: { id: 'cursor', name: 'Cursor' },
  ownHooks: 'cursor',
  isSender: (payload) => textField(payload, 'cursor_version') !== undefined,
  read: (payload) =>
    readPayload(payload, { kinds, eventName: textField(payload, 'hook_event_name'), edits: editsOf(payload) }),
  listensAt: ['session-start', 'after-tool'],
  write: (_, { lines }) => (lines.length > 0 ? { additional_context: contextText(lines) } : {}),
  showsMessageAt: [],
}

function editsOf(payload: Json): NamedEdit[] {
  const isEdit = editTools.includes(textField(payload, 'tool_name') ?? '')
  return isEdit ? namedEdits(toolArguments(payload.tool_input)) : []
}
