import { randomUUID } from 'node:crypto'

export type Json = Readonly<Record<string, unknown>>

/** A tool that the scripted model calls. */
export interface ScriptedCall {
  name: string
  args?: Json
  /** The text of a tool that takes no JSON, such as `apply_patch` of Codex. */
  input?: string
}

export interface ModelAnswer {
  type: 'application/json' | 'text/event-stream'
  body: string
}

/** A protocol that agents speak with their model. */
export interface Dialect {
  /** Whether a path is the one of the protocol that asks for the next turn. */
  takes(path: string): boolean
  /** How many tools the model may call: side requests have none. */
  tools(request: Json): number
  /** How many turns with tools the conversation has already: side requests disturb nothing so. */
  turns(request: Json): number
  /** Calls a tool, or says that it is done. */
  answer(request: Json, call: ScriptedCall | undefined, path: string): ModelAnswer
}

export function newId(prefix: string): string {
  return `${prefix}_${randomUUID()}`
}

/** The objects of a list; none where there is no list. */
export function listOf(value: Json, key: string): Json[] {
  const list = value[key]
  return Array.isArray(list) ? list.filter((item) => typeof item === 'object' && item !== null) : []
}

export function json(value: unknown): ModelAnswer {
  return { type: 'application/json', body: JSON.stringify(value) }
}

/** Server-sent events with their types. */
export function eventStream(events: readonly Json[]): ModelAnswer {
  const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
  return { type: 'text/event-stream', body }
}
