import { describe, expect, it } from 'vitest'
import { claudeHost } from '../../../../../src/cli/agents/claude/claude-host.ts'

const read = (input: object) => claudeHost.read({ session_id: 's1', cwd: '/home/alice/shop', ...input })

describe('the payload of a Claude Code hook', () => {
  it.each([
    ['SessionStart', 'session-start'],
    ['PreToolUse', 'before-edit'],
    ['PostToolUse', 'after-tool'],
    ['SessionEnd', 'session-end'],
  ])('%s is the event %s', (hook_event_name, kind) => {
    expect(read({ hook_event_name })).toEqual({
      eventName: hook_event_name,
      cwd: '/home/alice/shop',
      event: { kind, sessionId: 's1', isSubagent: false, isContinued: false, edits: [] },
    })
  })

  it.each(['Stop', 'toString'])('%s is no event that Headsup handles', (hook_event_name) => {
    expect(read({ hook_event_name })).toMatchObject({ event: undefined })
  })

  it.each([
    ['clear', true],
    ['resume', true],
    ['logout', false],
    ['prompt_input_exit', false],
  ])('ends a session for %s, which another session continues: %s', (reason, isContinued) => {
    expect(read({ hook_event_name: 'SessionEnd', reason })?.event).toMatchObject({ isContinued })
  })

  it.each(['file_path', 'notebook_path'])('names the edited file in %s', (field) => {
    expect(read({ hook_event_name: 'PreToolUse', tool_input: { [field]: '/repo/a' } })?.event).toMatchObject({
      edits: [{ file: '/repo/a' }],
    })
  })

  it.each([{}, { hook_event_name: 1 }])('is not an event: %j', (payload) => {
    expect(claudeHost.read(payload)).toBeUndefined()
  })
})
