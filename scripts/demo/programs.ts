import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

// Relative to the compiled file in dist/demo/scripts/demo.
const endWithDemo = new URL('end-with-demo.js', import.meta.url).href
/** The command line, which ends by itself. */
export const commandLine = fileURLToPath(new URL('../../../cli/main.js', import.meta.url))

const programs = {
  headsup: fileURLToPath(new URL('../../../service/main.js', import.meta.url)),
  github: fileURLToPath(new URL('../../test/support/github/main.js', import.meta.url)),
}

export interface Program {
  /** Resolves when the program has printed the words. Rejects with its output if it ends before. */
  ready: Promise<void>
  /** Ends the program as Ctrl-C does, and waits for the end. */
  stop(): Promise<void>
}

/**
 * Starts a program that prints certain words when it is ready. It has its own process group, so that Ctrl-C reaches only
 * the demo, which then ends its programs.
 */
export function startProgram(
  name: keyof typeof programs,
  { settings, cwd, words }: { settings: Record<string, string>; cwd: string; words: string },
): Program {
  const { PATH = '', SystemRoot = '' } = process.env
  const child = spawn(process.execPath, ['--import', endWithDemo, programs[name]], {
    // No variables of the caller and no .env, so that it uses no other database or GitHub.
    env: { PATH, SystemRoot, ...settings },
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  // `exit` and not `close`: there is no `close` after the channel was disconnected.
  const ended = once(child, 'exit')
  const ready = said(child, words, ended)
  // A rejection is handled where `ready` is awaited.
  ready.catch(() => {})
  return {
    ready,
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

function said(child: ChildProcess, words: string, ended: Promise<unknown>): Promise<void> {
  let text = ''
  return new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        text = (text + chunk.toString()).slice(-10_000)
        if (text.includes(words)) resolve()
      })
    }
    ended.then(() => reject(new Error(`A program of the demo ended:\n${text}`)), reject)
  })
}

/** Runs the command line with these variables and none of the caller's, and returns what it prints. */
export async function runCommandLine(
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<string> {
  const { PATH = '', SystemRoot = '' } = process.env
  const options = { cwd, env: { PATH, SystemRoot, HOME: cwd, ...env } }
  return (await promisify(execFile)(process.execPath, [commandLine, ...args], options)).stdout
}

/** The preferred port, or any free port if it is in use. */
export async function freePort(preferred: number): Promise<number> {
  return (await openPort(preferred)) ?? (await openPort(0)) ?? preferred
}

/** The port, if it is free; 0 finds any free port. Null if it is in use. */
async function openPort(port: number): Promise<number | null> {
  const server = createServer()
  const found = await new Promise<number | null>((resolve) => {
    server.once('error', () => resolve(null))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : null)
    })
  })
  await new Promise((resolve) => server.close(resolve))
  return found
}
