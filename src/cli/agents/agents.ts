import { type Payload, stringIn } from './payload.ts'

/** The agents that hooks are installed for. Copilot CLI reads Claude Code's file. */
export const agentWords = ['claude', 'codex', 'gemini', 'opencode'] as const
export type AgentWord = (typeof agentWords)[number]

export interface Agent {
  /** What is recorded as `agent`. */
  id: string
  /** What its model reads: one JSON value. */
  answer(event: string, text: string): object
}

const inContext = (hookEventName: string, additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
})

const agents: Readonly<Record<AgentWord, Agent>> = {
  claude: { id: 'claude-code', answer: inContext },
  codex: { id: 'codex', answer: inContext },
  gemini: { id: 'gemini-cli', answer: inContext },
  // Our own plugin reads it.
  opencode: { id: 'opencode', answer: (_event, text) => ({ context: text }) },
}

/** At these events it reads the field at the top. */
const copilot: Agent = { id: 'copilot-cli', answer: (_event, text) => ({ additionalContext: text }) }

/** Who sends a payload to the hook of this word. Claude Code always names its transcript; Copilot CLI sends a time instead. */
export function agentOf(word: AgentWord, payload: Payload): Agent {
  const isCopilot = word === 'claude' && payload.timestamp !== undefined && payload.transcript_path === undefined
  return isCopilot ? copilot : agents[word]
}

/** A session begins, or a tool has run. */
export type Moment = 'session-start' | 'after-tool'

const moments: Readonly<Record<string, Moment>> = {
  SessionStart: 'session-start',
  PostToolUse: 'after-tool',
  AfterTool: 'after-tool',
  'session.created': 'session-start',
  'tool.execute.after': 'after-tool',
}

export interface HookEvent {
  name: string
  moment: Moment
  /** Empty where the agent names none. */
  session: string
  cwd: string | undefined
}

/** Undefined for an event that nothing is done at. */
export function eventOf(payload: Payload): HookEvent | undefined {
  const name = stringIn(payload, 'hook_event_name') ?? ''
  const moment = Object.hasOwn(moments, name) ? moments[name] : undefined
  return moment && { name, moment, session: stringIn(payload, 'session_id') ?? '', cwd: stringIn(payload, 'cwd') }
}
