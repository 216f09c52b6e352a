import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findHost, namedHosts } from '../../src/cli/agents/hosts.ts'
import { asRecord, type Json, parseJson, textField } from '../../src/cli/client/json.ts'
import { type Desk, lineOf } from './desk.ts'
import type { ScriptedCall } from './model/dialect.ts'
import { callsOf, patient, runSession } from './real-agent.ts'
import { prepareStage, type Stage } from './stage.ts'
import { type AgentName, chosenAgents } from './versions.ts'

let stage: Stage
prepareStage((prepared) => {
  stage = prepared
})

const fixtures = new URL('../fixtures/agents/', import.meta.url)
const isWriting = process.env.WRITE_AGENT_PAYLOADS !== undefined

/** Moves a file, adds another one and deletes a third. */
const patch = `*** Begin Patch
*** Update File: src/a.ts
*** Move to: src/b.ts
@@
-${lineOf(11)}+${lineOf(11, "'changed'")}*** Add File: src/new file.ts
+*** Add File: no.ts
*** Delete File: old.ts
*** End Patch`

interface Recording {
  agent: AgentName
  /** The word of `headsup hook install`. */
  hook: 'claude' | 'codex' | 'gemini' | 'copilot' | 'opencode'
  calls(desk: Desk): readonly ScriptedCall[]
  /** The event and the tool of each fixture. */
  fixtures: Readonly<Record<string, readonly [event: string, tool?: string]>>
}

const common = ({ read, editLine, shell }: ReturnType<typeof callsOf>) => [
  read('src/a.ts'),
  editLine('src/a.ts', 11),
  shell('echo tested'),
]

/** By the directory of the fixtures. */
const recordings: Readonly<Record<string, Recording>> = {
  claude: {
    ...{ agent: 'claude', hook: 'claude', calls: (desk) => common(callsOf(desk, 'claude')) },
    fixtures: {
      'session-start': ['SessionStart'],
      'before-edit': ['PreToolUse', 'Edit'],
      'after-tool': ['PostToolUse', 'Bash'],
      'session-end': ['SessionEnd'],
    },
  },
  codex: {
    ...{ agent: 'codex', hook: 'codex' },
    calls: (desk) => [callsOf(desk, 'codex').shell('echo tested'), { name: 'apply_patch', input: patch }],
    fixtures: {
      'session-start': ['SessionStart'],
      'before-command': ['PreToolUse', 'Bash'],
      'before-edit': ['PreToolUse', 'apply_patch'],
      'after-tool': ['PostToolUse', 'apply_patch'],
      'session-end': ['SessionEnd'],
    },
  },
  gemini: {
    ...{ agent: 'gemini', hook: 'gemini', calls: (desk) => common(callsOf(desk, 'gemini')) },
    fixtures: {
      'session-start': ['SessionStart'],
      'before-read': ['BeforeTool', 'read_file'],
      'before-edit': ['BeforeTool', 'replace'],
      'after-tool': ['AfterTool', 'replace'],
      'session-end': ['SessionEnd'],
    },
  },
  copilot: {
    ...{ agent: 'copilot', hook: 'copilot' },
    calls: (desk) => [
      ...common(callsOf(desk, 'copilot')),
      { name: 'create', args: { path: join(desk.path, 'src/new.ts'), file_text: 'x\n' } },
    ],
    fixtures: {
      'session-start': ['sessionStart'],
      'before-read': ['preToolUse', 'view'],
      'before-edit': ['preToolUse', 'edit'],
      'before-create': ['preToolUse', 'create'],
      'after-tool': ['postToolUse', 'edit'],
      'session-end': ['sessionEnd'],
    },
  },
  'copilot-claude': {
    ...{ agent: 'copilot', hook: 'claude', calls: (desk) => common(callsOf(desk, 'copilot')) },
    fixtures: {
      'session-start': ['SessionStart'],
      'before-edit': ['PreToolUse', 'Edit'],
      'after-tool': ['PostToolUse', 'Edit'],
      'session-end': ['SessionEnd'],
    },
  },
  opencode: {
    ...{ agent: 'opencode', hook: 'opencode', calls: (desk) => common(callsOf(desk, 'opencode')) },
    fixtures: {
      'session-start': ['session.created'],
      'before-edit': ['tool.execute.before', 'edit'],
      'after-tool': ['tool.execute.after', 'bash'],
      'session-end': ['session.deleted'],
    },
  },
}

/** Makes the installed hooks take all tools, so that those which write nothing are recorded too. */
function widen(desk: Desk): void {
  for (const file of ['.codex/hooks.json', '.gemini/settings.json', '.github/hooks/headsup.json']) {
    const path = join(desk.path, file)
    let text: string
    try {
      text = readFileSync(path, 'utf8')
    } catch {
      continue
    }
    writeFileSync(path, text.replace(/("matcher": )"[^"]*"/g, '$1".*"'))
  }
}

/** The payload as it would be in the clone and home of Alice, in the session `s1`. */
function asAlice(payload: Json, desk: Desk): Json {
  const session = textField(payload, 'session_id') ?? textField(payload, 'sessionId') ?? ''
  const slug = (path: string) => path.replaceAll(/[^A-Za-z0-9]/g, '-')
  const text = JSON.stringify(payload)
    .replaceAll(desk.path, '/home/alice/shop')
    .replaceAll(slug(desk.path), '-home-alice-shop')
    .replaceAll(desk.home, '/home/alice')
    .replaceAll(session, 's1')
  return asRecord(parseJson(text))
}

function readAs(payload: Json, hook: Recording['hook']) {
  const host = findHost(payload, {}, namedHosts[hook])
  return { agent: host.agent.id, input: host.read(payload) }
}

const chosen = Object.entries(recordings).filter(([, { agent }]) => chosenAgents.includes(agent))

describe.each(chosen)('the payloads of %s', (name, recording) => {
  it('are read as those of the fixtures', async () => {
    const { desk: open } = await stage.open({ withColleague: false })
    const desk = open('Bob')
    const { agent, hook, calls } = recording
    expect(await desk.headsup('hook', 'install', hook)).toMatchObject({ code: 0, err: '' })
    widen(desk)
    const script = calls(desk).map((call) => ({ calls: [call] }))
    const { code, err } = await runSession(desk, agent, script, { env: patient })
    expect(code, err).toBe(0)
    const got = desk.payloads().map((payload) => asAlice(payload, desk))
    for (const [fixture, [event, tool]] of Object.entries(recording.fixtures)) {
      const payload = got.find(
        (one) =>
          readAs(one, hook).input?.eventName === event &&
          (tool === undefined || (one.tool_name ?? one.toolName) === tool),
      )
      if (!payload) throw new Error(`There is no payload of ${event} ${tool ?? ''}.`)
      const file = new URL(`${name}/${fixture}.json`, fixtures)
      if (isWriting) {
        mkdirSync(new URL('.', file), { recursive: true })
        writeFileSync(file, `${JSON.stringify(payload, undefined, 2)}\n`)
      }
      expect(readAs(payload, hook)).toEqual(readAs(asRecord(parseJson(readFileSync(file, 'utf8'))), hook))
    }
  })
})
