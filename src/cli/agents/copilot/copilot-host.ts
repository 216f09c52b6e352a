import type { NamedEdit } from '../../../core/changes/edits/parse-patch.ts'
import { type Json, textField } from '../../client/json.ts'
import type { AgentEventKind } from '../agent-event.ts'
import { claudeKinds } from '../claude/claude-host.ts'
import type { Host } from '../host.ts'
import { claudeAnswer, contextText, readPayload, toolArguments } from '../payload.ts'
import { namedEdits, patchEdits } from '../tool-edits.ts'

const kinds: ReadonlyMap<string, AgentEventKind> = new Map([
  ...claudeKinds,
  ['sessionStart', 'session-start'],
  ['preToolUse', 'before-edit'],
  ['postToolUse', 'after-tool'],
  ['sessionEnd', 'session-end'],
])

/** The tools that write files. Some hosts ignore matchers, so that reading tools call the hook too. */
const editTool = /edit|create|write|replace|insert|patch|delete|rename/i

/**
 * Copilot CLI. A hook that is named in camel case gets a payload in camel case without the name of the event, one that is
 * named as in Claude Code's settings gets Claude Code's fields and a timestamp.
 */
export const copilotHost: Host = {
  agent: { id: 'copilot-cli', name: 'Copilot CLI' },
  ownHooks: 'copilot',
  isSender: (payload) =>
    textField(payload, 'sessionId') !== undefined ||
    // Claude Code always names its transcript.
    (payload.timestamp !== undefined && payload.transcript_path === undefined),
  read,
  listensAt: ['session-start', 'before-edit', 'after-tool'],
  write: (eventName, { lines }) => ({
    ...(lines.length > 0 && { additionalContext: contextText(lines) }),
    // Of Claude Code's events, it reads this form before a tool, and the other one at all others.
    ...(claudeKinds.has(eventName) && claudeAnswer(eventName, { lines, message: undefined })),
  }),
  showsMessageAt: [],
}

/** VS Code: the fields of the session in camel case, those of the tool as in Claude Code. */
export const vscodeHost: Host = {
  agent: { id: 'vscode', name: 'VS Code' },
  ownHooks: 'copilot',
  isSender: (payload) => textField(payload, 'hookEventName') !== undefined,
  read,
  listensAt: ['session-start', 'before-edit', 'after-tool'],
  write: claudeAnswer,
  showsMessageAt: ['session-start', 'before-edit', 'after-tool'],
}

function read(payload: Json) {
  const eventName = textField(payload, 'hook_event_name') ?? textField(payload, 'hookEventName') ?? inferred(payload)
  return readPayload(payload, { kinds, eventName, edits: editsOf(payload) })
}

/** The event of a payload that does not name it. */
function inferred(payload: Json): string | undefined {
  if (textField(payload, 'sessionId') === undefined) return undefined
  if (payload.toolName !== undefined) return payload.toolResult === undefined ? 'preToolUse' : 'postToolUse'
  if (payload.source !== undefined) return 'sessionStart'
  return payload.reason === undefined ? undefined : 'sessionEnd'
}

function editsOf(payload: Json): NamedEdit[] {
  const tool = textField(payload, 'tool_name') ?? textField(payload, 'toolName') ?? ''
  if (!editTool.test(tool)) return []
  const args = payload.tool_input ?? payload.toolArgs
  const named = toolArguments(args)
  return [...namedEdits(named), ...patchEdits(typeof args === 'string' ? args : named)]
}
