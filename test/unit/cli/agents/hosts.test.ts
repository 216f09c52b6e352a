import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { HostAnswer } from '../../../../src/cli/agents/host.ts'
import { findHost, namedHosts } from '../../../../src/cli/agents/hosts.ts'
import { asRecord, parseJson } from '../../../../src/cli/client/json.ts'

const fixtures = new URL('../../../fixtures/agents/', import.meta.url)

/** Environments of hooks: what the host sets, and what it inherits from the session of another agent. */
const environments = {
  none: {},
  devin: { DEVIN_PROJECT_DIR: '/home/alice/shop' },
  gemini: { GEMINI_SESSION_ID: 's1' },
  otherGemini: { GEMINI_SESSION_ID: 'another' },
}

function payload(name: string) {
  return asRecord(parseJson(readFileSync(new URL(`${name}.json`, fixtures), 'utf8')))
}

function read(name: string, env: NodeJS.ProcessEnv = {}, named: keyof typeof namedHosts = 'claude') {
  const host = findHost(payload(name), env, namedHosts[named])
  const { cwd, event } = host.read(payload(name)) ?? {}
  if (!event) return { agent: host.agent.id, cwd, event }
  const { edits, ...rest } = event
  const files = edits.flatMap(({ file, movedTo }) => (movedTo === undefined ? [file] : [file, movedTo]))
  return { agent: host.agent.id, cwd, event: { ...rest, files } }
}

const a = '/home/alice/shop/src/a.ts'
const patched = ['src/a.ts', 'src/b.ts', 'src/new file.ts', 'old.ts']

describe('a payload', () => {
  it.each<[string, keyof typeof environments, string, string, string[]]>([
    ['claude/session-start', 'none', 'claude-code', 'session-start', []],
    ['claude/before-edit', 'none', 'claude-code', 'before-edit', [a]],
    ['claude/before-edit', 'otherGemini', 'claude-code', 'before-edit', [a]],
    ['claude/after-tool', 'none', 'claude-code', 'after-tool', []],
    ['claude/session-end', 'none', 'claude-code', 'session-end', []],
    ['devin/before-edit', 'devin', 'devin', 'before-edit', [a]],
    ['codex/before-edit', 'none', 'codex', 'before-edit', patched],
    ['codex/before-edit', 'otherGemini', 'codex', 'before-edit', patched],
    ['codex/after-tool', 'none', 'codex', 'after-tool', patched],
    ['codex/before-command', 'none', 'codex', 'before-edit', []],
    ['cursor/session-start', 'none', 'cursor', 'session-start', []],
    ['cursor/before-edit', 'none', 'cursor', 'before-edit', [a]],
    ['cursor/after-tool', 'devin', 'cursor', 'after-tool', [a]],
    ['cursor/before-read', 'none', 'cursor', 'before-edit', []],
    ['cursor/session-end', 'none', 'cursor', 'session-end', []],
    ['gemini/session-start', 'gemini', 'gemini-cli', 'session-start', []],
    ['gemini/before-edit', 'none', 'gemini-cli', 'before-edit', [a]],
    ['gemini/after-tool', 'gemini', 'gemini-cli', 'after-tool', [a]],
    ['gemini/before-read', 'gemini', 'gemini-cli', 'before-edit', []],
    ['gemini/session-end', 'gemini', 'gemini-cli', 'session-end', []],
    ['copilot/session-start', 'none', 'copilot-cli', 'session-start', []],
    ['copilot/before-edit', 'none', 'copilot-cli', 'before-edit', [a]],
    ['copilot/before-create', 'none', 'copilot-cli', 'before-edit', ['/home/alice/shop/src/new.ts']],
    ['copilot/before-read', 'none', 'copilot-cli', 'before-edit', []],
    ['copilot/after-tool', 'none', 'copilot-cli', 'after-tool', [a]],
    ['copilot/session-end', 'none', 'copilot-cli', 'session-end', []],
    ['copilot-claude/session-start', 'none', 'copilot-cli', 'session-start', []],
    ['copilot-claude/before-edit', 'none', 'copilot-cli', 'before-edit', [a]],
    ['copilot-claude/after-tool', 'none', 'copilot-cli', 'after-tool', [a]],
    ['copilot-claude/session-end', 'none', 'copilot-cli', 'session-end', []],
    ['opencode/session-start', 'none', 'opencode', 'session-start', []],
    ['opencode/before-edit', 'gemini', 'opencode', 'before-edit', [a]],
    ['opencode/before-patch', 'devin', 'opencode', 'before-edit', patched],
    ['opencode/after-tool', 'none', 'opencode', 'after-tool', []],
    ['opencode/session-end', 'none', 'opencode', 'session-end', []],
    ['vscode/session-start', 'none', 'vscode', 'session-start', []],
    ['vscode/before-edit', 'none', 'vscode', 'before-edit', ['src/a.ts', 'src/b.ts']],
    ['vscode/before-create', 'none', 'vscode', 'before-edit', [a]],
    ['vscode/before-read', 'none', 'vscode', 'before-edit', []],
    ['vscode/after-tool', 'none', 'vscode', 'after-tool', ['src/a.ts']],
  ])('%s, with the environment %s, is of %s: %s', (name, env, agent, kind, files) => {
    expect(read(name, environments[env])).toEqual({
      agent,
      cwd: '/home/alice/shop',
      event: { kind, sessionId: 's1', isSubagent: false, isContinued: false, files },
    })
  })

  it('of the end of a session that another one continues says so', () => {
    const end = { ...payload('claude/session-end'), reason: 'clear' }
    expect(namedHosts.claude.read(end)?.event).toMatchObject({ kind: 'session-end', isContinued: true })
  })

  it('of Claude Code with a timestamp is still of Claude Code', () => {
    const later = { ...payload('claude/before-edit'), timestamp: '2027-01-01T00:00:00Z' }
    expect(findHost(later, {}, namedHosts.claude).agent.id).toBe('claude-code')
  })

  it('that does not say its host is of the host that the command line names', () => {
    expect(read('codex/session-start', {}, 'codex')).toMatchObject({ agent: 'codex' })
    expect(read('cursor/before-edit', {}, 'codex')).toMatchObject({ agent: 'cursor' })
  })
})

describe('an answer', () => {
  const answer: HostAnswer = { lines: ['One.', 'Two.'], message: 'Headsup could not check.' }
  const additionalContext = 'One.\nTwo.\n'
  const write = (name: string, of = answer) => {
    const host = findHost(payload(name), {}, namedHosts.claude)
    return host.write(host.read(payload(name))?.eventName ?? '', of)
  }

  it.each([
    ['claude/before-edit', 'PreToolUse'],
    ['codex/before-edit', 'PreToolUse'],
    ['gemini/after-tool', 'AfterTool'],
    ['vscode/before-edit', 'PreToolUse'],
  ])('to %s names the event %s', (name, hookEventName) => {
    expect(write(name)).toEqual({
      systemMessage: answer.message,
      hookSpecificOutput: { hookEventName, additionalContext },
    })
  })

  it.each([
    ['copilot-claude/session-start', 'SessionStart'],
    ['copilot-claude/before-edit', 'PreToolUse'],
    ['copilot-claude/after-tool', 'PostToolUse'],
  ])('to %s has the context in both places, of which Copilot CLI reads one', (name, hookEventName) => {
    expect(write(name)).toEqual({ additionalContext, hookSpecificOutput: { hookEventName, additionalContext } })
    expect(write(name, { lines: [], message: undefined })).toEqual({})
  })

  it('to Cursor, to Copilot CLI and to the plugin of opencode has only the context', () => {
    expect(write('cursor/after-tool')).toEqual({ additional_context: additionalContext })
    expect(write('copilot/after-tool')).toEqual({ additionalContext })
    expect(write('opencode/after-tool')).toEqual({ context: additionalContext })
  })

  it.each(['claude/before-edit', 'codex/before-edit', 'cursor/after-tool', 'gemini/after-tool', 'copilot/after-tool'])(
    'to %s without anything to say is empty',
    (name) => {
      expect(write(name, { lines: [], message: undefined })).toEqual({})
    },
  )

  it('stays below the 10,000 characters that Claude Code reads, without half a character at its end', () => {
    const long = { ...answer, lines: ['a', '👩'.repeat(9_000)] }
    const text = String(write('cursor/after-tool', long).additional_context)
    expect(text.length).toBeLessThan(10_000)
    expect(text.isWellFormed()).toBe(true)
  })
})
