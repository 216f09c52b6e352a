import type { Json } from '../client/json.ts'
import type { Agent, AgentEvent, AgentEventKind } from './agent-event.ts'
import type { SettingsAgent } from './install/hook-files.ts'

/** The payload of a hook, as far as it is used. */
export interface HostInput {
  eventName: string
  cwd: string | undefined
  /** Undefined for events that need no work. */
  event: AgentEvent | undefined
}

/** What a hook prints. */
export interface HostAnswer {
  /** For the model. */
  lines: readonly string[]
  /** For the user. */
  message: string | undefined
}

/** A coding agent that calls hooks: how it writes its payloads and reads the answers. */
export interface Host {
  agent: Agent
  /** The hooks that the host has besides those in Claude Code's settings, which it reads too. */
  ownHooks?: SettingsAgent
  /** Whether a payload is of this host. The environment is that of the hook. */
  isSender(payload: Json, env: NodeJS.ProcessEnv): boolean
  /** Undefined where the payload is not an event. */
  read(payload: Json): HostInput | undefined
  /** The events whose answer the model reads. */
  listensAt: readonly AgentEventKind[]
  /** The JSON for stdout. */
  write(eventName: string, answer: HostAnswer): Json
  /** The events at which the user sees the message of an answer. */
  showsMessageAt: readonly AgentEventKind[]
}
