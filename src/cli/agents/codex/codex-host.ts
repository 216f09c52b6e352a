import type { NamedEdit } from '../../../core/changes/edits/parse-patch.ts'
import { type Json, record, textField } from '../../client/json.ts'
import { claudeKinds } from '../claude/claude-host.ts'
import type { Host } from '../host.ts'
import { claudeAnswer, readPayload } from '../payload.ts'
import { namedEdits, patchEdits } from '../tool-edits.ts'

/** Codex: Claude Code's events, and edits as a patch in `tool_input.command`. */
export const codexHost: Host = {
  agent: { id: 'codex', name: 'Codex' },
  isSender: (payload) => textField(payload, 'turn_id') !== undefined,
  read: (payload) =>
    readPayload(payload, {
      kinds: claudeKinds,
      eventName: textField(payload, 'hook_event_name'),
      edits: editsOf(payload),
    }),
  listensAt: ['session-start', 'before-edit', 'after-tool'],
  write: claudeAnswer,
  showsMessageAt: ['session-start', 'before-edit', 'after-tool'],
}

function editsOf(payload: Json): NamedEdit[] {
  const tool = record(payload, 'tool_input')
  if (textField(payload, 'tool_name') !== 'apply_patch') return namedEdits(tool)
  return patchEdits(tool)
}
