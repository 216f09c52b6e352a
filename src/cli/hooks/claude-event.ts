import { asRecord, parseJson, record, textField } from '../client/json.ts'

/** What Claude Code tells a hook on stdin (code.claude.com/docs/en/hooks), as far as it is used. */
export interface ClaudeEvent {
  name: string
  sessionId: string
  cwd: string | undefined
  /** Why a session ends. */
  reason: string
  isSubagent: boolean
  /** The file that a tool is about to change, or has changed. */
  file: string | undefined
}

/** Undefined where the input is no event. */
export function readClaudeEvent(input: string): ClaudeEvent | undefined {
  const event = asRecord(parseJson(input))
  const name = textField(event, 'hook_event_name')
  if (name === undefined) return undefined
  const tool = record(event, 'tool_input')
  return {
    name,
    sessionId: textField(event, 'session_id') ?? '',
    cwd: textField(event, 'cwd'),
    reason: textField(event, 'reason') ?? '',
    isSubagent: textField(event, 'agent_id') !== undefined,
    file: textField(tool, 'file_path') ?? textField(tool, 'notebook_path'),
  }
}

/** Claude Code takes 10,000 characters at most. */
const longest = 9_000

/** What the model reads. Facts, no orders, and never a decision on a permission. */
export function contextReply(event: string, lines: readonly string[]): string {
  const text = lines.map((line) => `${line}\n`).join('')
  const additionalContext = text.slice(0, longest).toWellFormed()
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext } })
}

/** What the person sees. */
export function messageReply(line: string): string {
  return JSON.stringify({ systemMessage: line })
}
