import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Clone } from '../support/command-line.ts'
import { type AgentName, installAgent } from './install.ts'
import { kinds } from './kinds.ts'
import type { ScriptedCall } from './model/dialect.ts'
import { startModel } from './model/model.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Bundles the command line with hooks that are given more time: other programs run on the machine of a test. */
export function usePatientHeadsup(): () => string {
  const directory = mkdtempSync(join(tmpdir(), 'headsup-agents-'))
  const outfile = join(directory, 'headsup.cjs')
  const contents = `export const limitsMs = { 'session-start': 4_500, 'after-tool': 4_500 }`
  beforeAll(async () => {
    await build({
      ...{ entryPoints: [join(root, 'src/cli/main.ts')], outfile, bundle: true, platform: 'node', logLevel: 'error' },
      ...{ mainFields: ['module', 'main'], define: { BUNDLED_VERSION: '"test"', 'import.meta.url': '""' } },
      plugins: [{ name: 'patient', setup: (on) => on.onLoad({ filter: /agents.limits\.ts$/ }, () => ({ contents })) }],
    })
  })
  afterAll(() => rmSync(directory, { recursive: true, force: true }))
  return () => outfile
}

const limitMs = 180_000

/** Runs a program in the clone, and ends it with all that it started after three minutes. */
export async function runIn(clone: Clone, program: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const env = {
    ...{ ...clone.env, TERM: 'xterm', LANG: 'C.UTF-8', ...more },
    // Whatever calls another machine is told at once that there is none.
    ...{ HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1,localhost' },
  }
  const child = spawn(program, args, { cwd: clone.path, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
  const timer = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), limitMs)
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  return { code: Number(code ?? -1), output: Buffer.concat(output).toString() }
}

/** One session of an agent that does what the script says, and ends well. Returns the requests of its model. */
export async function runSession(
  clone: Clone,
  name: AgentName,
  script: readonly ScriptedCall[],
  more: {
    /** Called with the program and its environment once the files of the agent are there. */
    afterSetup?(program: string, env: NodeJS.ProcessEnv): Promise<void>
    /** See `startModel`. */
    before?(turn: number): Promise<void>
  } = {},
) {
  const kind = kinds[name]
  const program = installAgent(name)
  const model = await startModel(script, more.before)
  const env = kind.env(model.url)
  try {
    for (const [file, text] of Object.entries(kind.files?.(clone.path, model.url) ?? {})) {
      const path = join(clone.env.HOME ?? '', file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    await more.afterSetup?.(program, env)
    const { code, output } = await runIn(clone, program, kind.args('Change line 105 of src/auth/login.ts'), env)
    expect({ code, turns: model.requests.length }, output).toEqual({ code: 0, turns: script.length + 1 })
    return model.requests
  } finally {
    model.stop()
  }
}

/** The call of an agent that changes a line of a file of the clones. */
export function changeLine(clone: Clone, name: AgentName, path: string, line: number): ScriptedCall {
  return kinds[name].edit(join(clone.path, path), `line ${line}\n`, `by ${name}\n`)
}
