import { record, textField } from '../../client/json.ts'
import type { AgentEventKind } from '../agent-event.ts'
import type { Host } from '../host.ts'
import { claudeAnswer, readPayload } from '../payload.ts'
import { namedEdits } from '../tool-edits.ts'

const kinds: ReadonlyMap<string, AgentEventKind> = new Map([
  ['SessionStart', 'session-start'],
  ['BeforeTool', 'before-edit'],
  ['AfterTool', 'after-tool'],
  ['SessionEnd', 'session-end'],
])

const editTools = ['write_file', 'replace']

/**
 * Gemini CLI (geminicli.com/docs/hooks/reference): its model reads the output of hooks after an edit and at the start
 * of a session.
 */
export const geminiHost: Host = {
  agent: { id: 'gemini-cli', name: 'Gemini CLI' },
  // The variable of another session is inherited by an agent that Gemini CLI starts.
  isSender: (payload, env) =>
    ['BeforeTool', 'AfterTool'].includes(textField(payload, 'hook_event_name') ?? '') ||
    (env.GEMINI_SESSION_ID !== undefined && env.GEMINI_SESSION_ID === textField(payload, 'session_id')),
  read: (payload) => {
    const isEdit = editTools.includes(textField(payload, 'tool_name') ?? '')
    const edits = isEdit ? namedEdits(record(payload, 'tool_input')) : []
    const eventName = textField(payload, 'hook_event_name')
    return readPayload(payload, { kinds, eventName, edits })
  },
  listensAt: ['session-start', 'after-tool'],
  write: claudeAnswer,
  showsMessageAt: ['session-start', 'before-edit', 'after-tool'],
}
