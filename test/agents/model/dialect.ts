import type { Json } from '../../../src/cli/client/json.ts'

/** A tool that the scripted model calls. */
export interface ScriptedCall {
  /** The name of the tool, or how it ends: agents put a prefix before the names of MCP tools. */
  name: string
  args?: Json
  /** The text of a tool that takes no JSON, such as `apply_patch` of Codex. */
  input?: string
  /** The namespace of a tool of Codex. It is found by the name. */
  namespace?: string
}

/** What the model says in one turn. */
export interface Turn {
  text?: string
  calls: readonly ScriptedCall[]
}

export interface ModelAnswer {
  type: 'application/json' | 'text/event-stream'
  body: string
}

/** A protocol that agents speak with their model. */
export interface Dialect {
  /** Whether a path is the one of the protocol that asks for the next turn. */
  takes(path: string): boolean
  /** The names of the tools that the model may call. */
  tools(request: Json): string[]
  /** How many turns with tools the conversation has already: side requests disturb nothing so. */
  turns(request: Json): number
  answer(request: Json, turn: Turn, path: string): ModelAnswer
}

let ids = 0

export function newId(prefix: string): string {
  ids++
  return `${prefix}_${String(ids).padStart(6, '0')}`
}

export function json(value: unknown): ModelAnswer {
  return { type: 'application/json', body: JSON.stringify(value) }
}

/** Events as server-sent events; with their types where the protocol names them. */
export function eventStream(events: readonly (Json | string)[], { isNamed = false } = {}): ModelAnswer {
  const body = events
    .map((event) => {
      const data = typeof event === 'string' ? event : JSON.stringify(event)
      return `${isNamed && typeof event !== 'string' ? `event: ${event.type}\n` : ''}data: ${data}\n\n`
    })
    .join('')
  return { type: 'text/event-stream', body }
}
