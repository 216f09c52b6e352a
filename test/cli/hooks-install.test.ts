import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { agentWords } from '../../src/cli/agents/agents.ts'
import { hookCommand, installHooks, pathOf, uninstallHooks } from '../../src/cli/agents/install.ts'
import { pluginText } from '../../src/cli/agents/opencode-plugin.ts'
import { withHooks, withoutHooks } from '../../src/cli/agents/settings-files.ts'
import { scratch } from '../support/scratch.ts'

const command = 'headsup hook claude --url https://headsup.example.com/ 2>/dev/null || true'
const foreign = { matcher: 'Bash', hooks: [{ type: 'command', command: 'lint' }] }

/** Settings as people write them. */
const texts: Record<string, string> = {
  'other settings on one line': '{ "model": "opus", "env": {} }',
  'compact settings': '{"hooks":{"Stop":[{"hooks":[]}]},"model":"opus"}',
  'settings with a comma at the end': '{\n  "model": "opus", // why\n}\n',
  'nothing but a comment': '{\n  // nothing yet\n}\n',
  'other settings': '{\n  "model": "opus",\n  "permissions": { "allow": ["Bash(ls)"] }\n}\n',
  'hooks of somebody else': JSON.stringify({ hooks: { PostToolUse: [foreign], Stop: [foreign] } }, undefined, 4),
  comments:
    '// mine\n{\n  // why\n  "model": "opus", /* here */\n  "hooks": {\n    // theirs\n    "Stop": []\n  }\n}\n',
  'a byte order mark': '\ufeff{\n  "model": "opus"\n}\n',
  'line ends of Windows': '{\r\n  "model": "opus",\r\n  "hooks": { "PostToolUse": [{}] }\r\n}\r\n',
  tabs: '{\n\t"model": "opus"\n}\n',
}

describe('§13 hooks in a settings file', () => {
  it.for(Object.entries(texts))('come into %s, and go without a trace, byte by byte', ([, before]) => {
    const top = scratch()
    const file = join(top, pathOf('claude'))
    mkdirSync(join(top, '.claude'))
    writeFileSync(file, before)
    expect(installHooks(top, 'claude', command)).toBe(true)
    const installed = readFileSync(file, 'utf8')
    const handler = { type: 'command', command, timeout: 5 }
    const { hooks, ...rest } = parse(installed.replace('\ufeff', ''))
    const { hooks: hooksBefore = {}, ...restBefore } = parse(before.replace('\ufeff', ''))
    expect(rest).toEqual(restBefore)
    expect(hooks.SessionStart).toEqual([{ hooks: [handler] }])
    const matcher = 'Edit|Write|MultiEdit|NotebookEdit|Bash'
    expect(hooks.PostToolUse).toEqual([...(hooksBefore.PostToolUse ?? []), { matcher, hooks: [handler] }])
    if (before.includes('\r\n')) expect(installed).not.toMatch(/[^\r]\n/)
    expect(installHooks(top, 'claude', command)).toBe(false)
    expect(uninstallHooks(top, 'claude')).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  it('go from a file that somebody has changed meanwhile, and leave all comments', () => {
    const handler = JSON.stringify({ type: 'command', command, timeout: 5 })
    const text = `{ // first
  "hooks": { /* a */ "PostToolUse": [ { "hooks": [${handler}] /* b */ } ], /* c */ "SessionStart": [
    // d
    { "hooks": [${handler}] },
    { "hooks": [] } // e
  ] }, // f
}`
    const left = withoutHooks('claude', text)
    expect(parse(left)).toEqual({ hooks: { SessionStart: [{ hooks: [] }] } })
    for (const comment of ['// first', '/* a */', '/* c */', '// d', '// e', '// f']) expect(left).toContain(comment)
  })

  it('are refused where the hooks of the file have another form', () => {
    for (const text of ['{"hooks": []}', '{"hooks": {"SessionStart": {}}}'])
      expect(() => withHooks('claude', text, command)).toThrow('another form')
  })

  it('stay byte by byte what they were, but for a new address', () => {
    const installed = withHooks('codex', '{}', 'headsup hook codex --url https://a/ 2>/dev/null || true')
    const moved = withHooks('codex', installed, 'headsup hook codex --url https://b/ 2>/dev/null || true')
    expect(moved).not.toContain('https://a/')
    expect(moved.replaceAll('https://b/', 'https://a/')).toBe(installed)
  })

  it('go, and the others of the same group stay', () => {
    const own = { type: 'command', command, timeout: 5 }
    const group = { matcher: 'Edit', hooks: [{ type: 'command', command: 'lint' }, own] }
    const left = withoutHooks('claude', JSON.stringify({ hooks: { PostToolUse: [group] } }))
    expect(JSON.parse(left)).toEqual({
      hooks: { PostToolUse: [{ matcher: 'Edit', hooks: [{ type: 'command', command: 'lint' }] }] },
    })
  })

  it('come and go without a trace, whatever else is there', () => {
    const key = fc.constantFrom('model', 'hooks', 'env', 'a b', '')
    const events = fc.dictionary(fc.constantFrom('Stop', 'PostToolUse', 'x'), fc.constant([foreign]))
    // An empty object of hooks goes too: nothing tells whose it is.
    const settings = fc.dictionary(key, events).filter(({ hooks }) => Object.keys(hooks ?? { x: 1 }).length > 0)
    fc.assert(
      fc.property(settings, fc.constantFrom(0, 2, 4), (value, indent) => {
        const before = JSON.stringify(value, undefined, indent)
        expect(withoutHooks('claude', withHooks('claude', before, command))).toBe(before)
      }),
      { numRuns: 200 },
    )
  })
})

describe('§13 hook install and uninstall', () => {
  it.for(agentWords)('of %s: twice changes nothing, uninstalling leaves nothing', (agent) => {
    const top = scratch()
    const line = hookCommand(agent, new URL('https://headsup.example.com'), { env: {} }, [
      '/usr/bin/node',
      '/a b/headsup.mjs',
    ])
    expect(installHooks(top, agent, line)).toBe(true)
    const written = readFileSync(join(top, pathOf(agent)), 'utf8')
    expect(written).toContain(`'/a b/headsup.mjs' hook ${agent} --url https://headsup.example.com/`)
    expect(installHooks(top, agent, line)).toBe(false)
    expect(readFileSync(join(top, pathOf(agent)), 'utf8')).toBe(written)
    expect(uninstallHooks(top, agent)).toBe(true)
    expect(existsSync(join(top, pathOf(agent), '../..', pathOf(agent).split('/')[0] ?? ''))).toBe(false)
    expect(uninstallHooks(top, agent)).toBe(false)
  })

  it.for(agentWords)('of %s: refuses a file that it cannot change safely, and leaves it', (agent) => {
    const file = (top: string) => join(top, pathOf(agent))
    const broken = scratch()
    mkdirSync(join(file(broken), '..'), { recursive: true })
    writeFileSync(file(broken), '{ "hooks": ')
    expect(() => installHooks(broken, agent, command)).toThrow(pathOf(agent))
    expect(readFileSync(file(broken), 'utf8')).toBe('{ "hooks": ')
    const [linked, home] = [scratch(), scratch()]
    writeFileSync(join(home, 'target'), '{}\n')
    mkdirSync(join(file(linked), '..'), { recursive: true })
    symlinkSync(join(home, 'target'), file(linked))
    expect(() => installHooks(linked, agent, command)).toThrow('it is a link')
    expect(readFileSync(join(home, 'target'), 'utf8')).toBe('{}\n')
    const directory = scratch()
    symlinkSync(home, join(directory, pathOf(agent).split('/')[0] ?? ''))
    expect(() => installHooks(directory, agent, command)).toThrow('it is a link')
  })
})

it('§13 the plugin of opencode hands on what the hook says, once at the start and after each edit, and never throws', async () => {
  const directory = scratch()
  const load = async (name: string, hook: string) => {
    const file = join(directory, `${name}.mjs`)
    writeFileSync(file, pluginText(hook))
    const { Headsup } = await import(/* @vite-ignore */ pathToFileURL(file).href)
    return Headsup({ directory })
  }
  const plugin = await load('echo', `sed 's/.*"hook_event_name":"\\([^"]*\\)".*/{"context":"\\1"}/'`)
  const partsOf = async (sessionID: string) => {
    const parts: object[] = [{ id: 'p1' }]
    await plugin['chat.message']({ sessionID }, { message: { id: 'm1' }, parts })
    return parts.slice(1)
  }
  const added = { id: 'p10', messageID: 'm1', sessionID: 's1', type: 'text', synthetic: true }
  expect(await partsOf('s1')).toEqual([{ ...added, text: 'session.created' }])
  expect(await partsOf('s1')).toEqual([])
  const outputOf = async (tool: string, of = plugin) => {
    const result = { output: 'done' }
    await of['tool.execute.after']({ tool, sessionID: 's1' }, result)
    return result.output
  }
  expect([await outputOf('edit'), await outputOf('read')]).toEqual(['done\n\ntool.execute.after', 'done'])
  for (const [name, hook] of Object.entries({ fails: 'exit 3', talks: 'echo no JSON', dies: 'kill -9 $$' }))
    expect(await outputOf('edit', await load(name, hook)), name).toBe('done')
})
