import type { NamedEdit } from '../../core/changes/edits/parse-patch.ts'
import type { Args } from '../args.ts'
import type { HookContext } from '../hooks/hook-state.ts'
import type { Terminal } from '../terminal.ts'

export type AgentEventKind = 'session-start' | 'before-edit' | 'after-tool' | 'session-end'

/** An event of a coding agent's session, in the same terms for every agent. */
export interface AgentEvent {
  kind: AgentEventKind
  sessionId: string
  /** Subagents neither start nor end work. */
  isSubagent: boolean
  /** Whether another session continues the one that ends. */
  isContinued: boolean
  /** What a tool is about to change or has changed; empty for a tool without a file. */
  edits: readonly NamedEdit[]
}

export interface Agent {
  /** As recorded in the `agent` field of an activity. */
  id: string
  /** As shown in titles. */
  name: string
}

/** One call of an agent's hook, with what its handler needs. */
export interface AgentCall {
  terminal: Terminal
  args: Args
  agent: Agent
  event: AgentEvent
  hook: HookContext
  /**
   * Adds lines to what the model reads: now, or at the next hook whose output it reads. Never prints a decision on a
   * permission.
   */
  addContext(lines: readonly string[]): Promise<void>
}
