import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Clone, ProgramResult } from './command-line.ts'

/** A coding agent as the tests play it: what it sends to its hook, and where its model reads. */
export interface Dialect {
  /** The folder of its payloads in `test/fixtures/agents`. */
  fixtures: string
  /** The word in the command line. */
  hook: string
  /** What is recorded. */
  agent: string
  /** Where the model reads, in the output. */
  context(output: unknown): string
  /** When the model learns of a collision that is found before an edit. */
  told: 'before-edit' | 'after-tool'
  /** Where it is said why a check before an edit failed. */
  fails: 'stdout' | 'stderr'
  /** The same after a tool. */
  failsAfter: 'stdout' | 'stderr'
  env?: Record<string, string>
}

const shared = {
  hook: 'claude',
  context: contextOfClaude,
  told: 'before-edit',
  fails: 'stdout',
  failsAfter: 'stdout',
} as const
const silent = { fails: 'stderr', failsAfter: 'stderr' } as const

/** The hosts, some of them by two command lines. Cursor, Copilot CLI, VS Code and Devin read Claude Code's settings. */
export const dialects = {
  // Claude Code tells its model the message of a hook after a tool.
  claude: { ...shared, fixtures: 'claude', agent: 'claude-code', failsAfter: 'stderr' },
  codex: { ...shared, fixtures: 'codex', hook: 'codex', agent: 'codex' },
  cursor: {
    ...{ fixtures: 'cursor', hook: 'claude', agent: 'cursor', context: contextOfCursor },
    ...{ told: 'after-tool', ...silent },
  },
  gemini: { ...shared, fixtures: 'gemini', hook: 'gemini', agent: 'gemini-cli', told: 'after-tool' },
  copilot: {
    ...{ fixtures: 'copilot', hook: 'copilot', agent: 'copilot-cli', context: contextOfCopilot },
    ...{ told: 'before-edit', ...silent },
  },
  'copilot by the settings of claude': {
    ...{ fixtures: 'copilot-claude', hook: 'claude', agent: 'copilot-cli', context: contextOfCopilotByClaude },
    ...{ told: 'before-edit', ...silent },
  },
  opencode: {
    ...{ fixtures: 'opencode', hook: 'opencode', agent: 'opencode', context: contextOfOpencode },
    ...{ told: 'after-tool', ...silent },
  },
  vscode: { ...shared, fixtures: 'vscode', agent: 'vscode' },
  'vscode by the settings of copilot': { ...shared, fixtures: 'vscode', hook: 'copilot', agent: 'vscode' },
  devin: {
    ...{ ...shared, fixtures: 'claude', agent: 'devin', failsAfter: 'stderr' },
    env: { DEVIN_PROJECT_DIR: '/home/alice/shop' },
  },
} as const satisfies Readonly<Record<string, Dialect>>

function contextOfClaude(output: unknown): string {
  expect(output).toEqual({
    hookSpecificOutput: { hookEventName: expect.any(String), additionalContext: expect.any(String) },
  })
  return (output as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput.additionalContext
}

export function contextOfCursor(output: unknown): string {
  expect(output).toEqual({ additional_context: expect.any(String) })
  return (output as { additional_context: string }).additional_context
}

function contextOfCopilot(output: unknown): string {
  expect(output).toEqual({ additionalContext: expect.any(String) })
  return (output as { additionalContext: string }).additionalContext
}

/** Both forms: which of the two Copilot CLI reads depends on the event. */
function contextOfCopilotByClaude(output: unknown): string {
  const { additionalContext, ...rest } = output as { additionalContext: string }
  expect(contextOfClaude(rest)).toBe(additionalContext)
  return additionalContext
}

function contextOfOpencode(output: unknown): string {
  expect(output).toEqual({ context: expect.any(String) })
  return (output as { context: string }).context
}

const fixtures = new URL('../fixtures/agents/', import.meta.url)

/** A session of an agent in a work tree. */
export interface AgentSession {
  clone: Clone
  dialect: Dialect
  /** Sends the payload of an event to the hook, with other fields. */
  send(event: string, more?: object, env?: Record<string, string>): Promise<ProgramResult>
  /** The same, and returns what the model reads. The hook has to end well. */
  tell(event: string, more?: object, env?: Record<string, string>): Promise<string>
}

export function agentSession(clone: Clone, name: keyof typeof dialects): AgentSession {
  const dialect: Dialect = dialects[name]
  const send: AgentSession['send'] = (event, more = {}, env = {}) => {
    const text = readFileSync(new URL(`${dialect.fixtures}/${event}.json`, fixtures), 'utf8')
    const input = JSON.stringify({ ...JSON.parse(text.replaceAll('/home/alice/shop', clone.path)), ...more })
    return clone.headsup(['hook', dialect.hook], { input, env: { ...dialect.env, ...env } })
  }
  return {
    clone,
    dialect,
    send,
    async tell(event, more, env) {
      const { code, out, err } = await send(event, more, env)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).not.toMatch(/permission|decision/i)
      return out === '' ? '' : dialect.context(JSON.parse(out))
    },
  }
}
