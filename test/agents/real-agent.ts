import { join } from 'node:path'
import { claude } from './agents/claude.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { gemini } from './agents/gemini.ts'
import { opencode } from './agents/opencode.ts'
import { type AgentRun, type Desk, lineOf } from './desk.ts'
import { installAgent } from './install.ts'
import type { ScriptedCall } from './model/dialect.ts'
import { type ScriptedModel, type ScriptedTurn, startModel } from './model/model.ts'
import type { AgentName } from './versions.ts'

/** How an agent is set up and called without a person, and its own names of the tools. */
export interface AgentKind {
  /** As recorded. */
  agent: string
  /** Files below HOME. */
  files(desk: Desk, model: ScriptedModel): Readonly<Record<string, string>>
  /** The arguments for one prompt. */
  args(prompt: string): readonly string[]
  env(model: ScriptedModel): Record<string, string>
  read(file: string): ScriptedCall
  /** Replaces a line of `file`, a path from the top of the work tree. */
  edit(file: string, from: string, to: string): ScriptedCall
  shell(command: string): ScriptedCall
  mcp: {
    /** The arguments that connect the server, as docs/agents.md names them. */
    add(url: string, token: string): readonly string[]
    /** What the model calls before tools of the server, where these are not loaded at once. */
    search: readonly ScriptedCall[]
    /** What the agent puts before the name of a tool. */
    prefix: string
  }
}

export const kinds: Readonly<Record<AgentName, AgentKind>> = { claude, codex, gemini, copilot, opencode }

/** The calls of an agent at its desk. */
export function callsOf(desk: Desk, name: AgentName) {
  const kind = kinds[name]
  const file = (path: string) => join(desk.path, path)
  return {
    read: (path: string) => kind.read(file(path)),
    editLine: (path: string, line: number, by = 'changed') =>
      kind.edit(file(path), lineOf(line), lineOf(line, `'${by}'`)),
    shell: kind.shell,
  }
}

export interface Session extends AgentRun {
  model: ScriptedModel
}

/** Long enough for a busy machine, and less than the agents wait. */
export const patient = { HEADSUP_HOOK_LIMIT_MS: '4500' }

interface SessionOptions {
  env?: Record<string, string>
  /** Called once the files of the agent are there. */
  afterSetup?: (program: string, env: Record<string, string>) => Promise<void>
}

/** Runs one session of the agent with a scripted model. */
export async function runSession(
  desk: Desk,
  name: AgentName,
  script: readonly ScriptedTurn[],
  { env = {}, afterSetup = async () => {} }: SessionOptions = {},
): Promise<Session> {
  const kind = kinds[name]
  const { program } = installAgent(name)
  const model = await startModel(script)
  try {
    for (const [file, text] of Object.entries(kind.files(desk, model))) desk.write(file, text)
    await afterSetup(program, kind.env(model))
    const ended = await desk.run(program, kind.args('Change line 11 of src/a.ts'), { ...kind.env(model), ...env })
    return { ...ended, model }
  } finally {
    await model.stop()
  }
}
