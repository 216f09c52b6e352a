import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

// Seen from where this is when it is compiled: dist/demo/scripts/demo.
const leash = new URL('leash.js', import.meta.url).href
const programs = {
  headsup: fileURLToPath(new URL('../../../main.js', import.meta.url)),
  github: fileURLToPath(new URL('../../test/support/github/main.js', import.meta.url)),
}

export interface Program {
  /** Resolves once it has said the words; rejects, with what it said, where it ends instead. */
  ready: Promise<void>
  /** Ends it as Ctrl-C would, and waits for the end. */
  stop(): Promise<void>
}

/**
 * Starts a program that says certain words when it is ready. In a process group of its own: Ctrl-C is for the demo, which
 * ends its programs in turn.
 */
export function startProgram(
  name: keyof typeof programs,
  { settings, cwd, words }: { settings: Record<string, string>; cwd: string; words: string },
): Program {
  const { PATH = '', SystemRoot = '' } = process.env
  const child = spawn(process.execPath, ['--import', leash, programs[name]], {
    // Nothing of the caller's: no variable, nor a .env, points it at another database or GitHub.
    env: { PATH, SystemRoot, ...settings },
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  // Not its close: that does not come where we have let go of its channel.
  const ended = once(child, 'exit')
  const ready = said(child, words, ended)
  // It is waited for later, or not at all.
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

/** The preferred port of this machine, or, where another program has it, any that is free. */
export async function freePort(preferred: number): Promise<number> {
  return (await openPort(preferred)) ?? (await openPort(0)) ?? preferred
}

/** A port that could be listened on just now, where 0 is any; null where it could not. */
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
