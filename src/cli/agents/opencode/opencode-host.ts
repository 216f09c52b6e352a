import { type Json, record, textField } from '../../client/json.ts'
import type { AgentEventKind } from '../agent-event.ts'
import type { Host } from '../host.ts'
import { contextText, readPayload } from '../payload.ts'
import { namedEdits, patchEdits } from '../tool-edits.ts'

const kinds: ReadonlyMap<string, AgentEventKind> = new Map([
  ['session.created', 'session-start'],
  ['tool.execute.before', 'before-edit'],
  ['tool.execute.after', 'after-tool'],
  ['session.deleted', 'session-end'],
])

/**
 * opencode (opencode.ai/docs/plugins): our plugin calls the hook, and adds what it prints to the first message of the session or
 * to the output of the tool.
 */
export const opencodeHost: Host = {
  agent: { id: 'opencode', name: 'opencode' },
  isSender: (payload) => kinds.has(textField(payload, 'hook_event_name') ?? ''),
  read: (payload) =>
    readPayload(payload, { kinds, eventName: textField(payload, 'hook_event_name'), edits: editsOf(payload) }),
  listensAt: ['session-start', 'after-tool'],
  write: (_, { lines }) => (lines.length > 0 ? { context: contextText(lines) } : {}),
  showsMessageAt: [],
}

function editsOf(payload: Json) {
  const args = record(payload, 'tool_input')
  return textField(payload, 'tool_name') === 'bash' ? [] : [...namedEdits(args), ...patchEdits(args)]
}
