import { asRecord, parseJson, record, textField } from '../../client/json.ts'
import type { AgentEvent, AgentEventKind } from '../agent-event.ts'

/** The input of a Claude Code hook (code.claude.com/docs/en/hooks), as far as it is used. */
export interface ClaudeInput {
  eventName: string
  cwd: string | undefined
  /** Undefined for events that need no work. */
  event: AgentEvent | undefined
}

const kinds: ReadonlyMap<string, AgentEventKind> = new Map([
  ['SessionStart', 'session-start'],
  ['PreToolUse', 'before-edit'],
  ['PostToolUse', 'after-tool'],
  ['SessionEnd', 'session-end'],
])

/** The reasons of a session end that another session follows. */
const continuedReasons = ['clear', 'resume']

/** Undefined where the input is not an event. */
export function readClaudeInput(input: string): ClaudeInput | undefined {
  const json = asRecord(parseJson(input))
  const eventName = textField(json, 'hook_event_name')
  if (eventName === undefined) return undefined
  const kind = kinds.get(eventName)
  const tool = record(json, 'tool_input')
  const event = kind && {
    kind,
    sessionId: textField(json, 'session_id') ?? '',
    isSubagent: textField(json, 'agent_id') !== undefined,
    isContinued: continuedReasons.includes(textField(json, 'reason') ?? ''),
    file: textField(tool, 'file_path') ?? textField(tool, 'notebook_path'),
  }
  return { eventName, cwd: textField(json, 'cwd'), event }
}

/** Claude Code reads at most 10,000 characters. */
const maxContextLength = 9_000

/** The output that adds lines to what the model reads. */
export function contextOutput(eventName: string, lines: readonly string[]): string {
  const text = lines.map((line) => `${line}\n`).join('')
  const additionalContext = text.slice(0, maxContextLength).toWellFormed()
  return JSON.stringify({ hookSpecificOutput: { hookEventName: eventName, additionalContext } })
}

/** The output that the user sees. */
export function messageOutput(line: string): string {
  return JSON.stringify({ systemMessage: line })
}
