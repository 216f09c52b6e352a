import type { NamedEdit } from '../../core/changes/edits/parse-patch.ts'
import { introduced, onOneLine } from '../../core/texts/quote.ts'
import { asRecord, type Json, parseJson, textField, textList } from '../client/json.ts'
import type { AgentEventKind } from './agent-event.ts'
import type { HostAnswer, HostInput } from './host.ts'

/** What differs between hosts in the payload of an event. */
interface PayloadForm {
  kinds: ReadonlyMap<string, AgentEventKind>
  eventName: string | undefined
  edits: readonly NamedEdit[]
  /** The reasons of a session end that another session follows. */
  continuedReasons?: readonly string[]
}

const defaultContinuedReasons = ['clear', 'resume']

/** Reads the fields that all hosts share. Undefined where the payload names no event. */
export function readPayload(payload: Json, form: PayloadForm): HostInput | undefined {
  const { kinds, eventName, edits, continuedReasons = defaultContinuedReasons } = form
  if (eventName === undefined) return undefined
  const kind = kinds.get(eventName)
  const event = kind && {
    kind,
    sessionId: sessionOf(payload),
    isSubagent: textField(payload, 'agent_id') !== undefined,
    isContinued: continuedReasons.includes(textField(payload, 'reason') ?? ''),
    edits,
  }
  const cwd = textField(payload, 'cwd') || textList(payload, 'workspace_roots')[0]
  return { eventName, cwd, event }
}

function sessionOf(payload: Json): string {
  const fields = ['session_id', 'sessionId', 'conversation_id']
  return fields.map((field) => textField(payload, field)).find((id) => id !== undefined) ?? ''
}

/** The arguments of a tool: an object, or one as JSON text. */
export function toolArguments(value: unknown): Json {
  return asRecord(typeof value === 'string' ? parseJson(value) : value)
}

/** Claude Code reads at most 10,000 characters. */
const maxContextLength = 9_000

/** The lines as one text, below the length that every host reads. Only whole lines, so that each quotation ends. */
export function contextText(lines: readonly string[]): string {
  let text = ''
  for (const line of introduced(lines)) {
    const next = `${text}${onOneLine(line)}\n`
    if (next.length > maxContextLength) return text
    text = next
  }
  return text
}

/** The answer as Claude Code reads it, and hosts that took over its format. */
export function claudeAnswer(eventName: string, { lines, message }: HostAnswer): Json {
  const hookSpecificOutput = { hookEventName: eventName, additionalContext: contextText(lines) }
  return {
    ...(message !== undefined && { systemMessage: message }),
    ...(lines.length > 0 && { hookSpecificOutput }),
  }
}
