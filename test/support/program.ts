import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'

/** The built program. */
export const main = fileURLToPath(new URL('../../dist/service/main.js', import.meta.url))

export interface Program {
  child: ChildProcess
  /** The address of the program. */
  url: string
  /** Its output so far, on both streams. */
  printed(): string
  /** Sends the signal and waits for the end. Returns the exit code, or the signal that ended it. */
  end(signal?: NodeJS.Signals): Promise<number | string>
}

/** The given settings, and what any program needs. */
function environment(settings: Record<string, string>): Record<string, string> {
  const { PATH = '', SystemRoot = '' } = process.env
  return { PATH, SystemRoot, PORT: '0', LOG_LEVEL: 'trace', ...settings }
}

/** Optimizing the WebAssembly of Prisma takes a third of a start's processor time, and is of use only later. */
function builtCommand(): string[] {
  const bundled = inject('bundledPrograms')
  return [process.execPath, ...(bundled ? ['--liftoff-only', bundled.service] : [main])]
}

function launch(
  settings: Record<string, string>,
  cwd: string,
  {
    ownGroup = false,
    timeout,
    command = builtCommand(),
  }: { ownGroup?: boolean; timeout?: number; command?: string[] } = {},
) {
  const options = { detached: ownGroup, timeout, killSignal: 'SIGKILL' } as const
  const env = environment(settings)
  const [run = process.execPath, ...args] = command
  const child = spawn(run, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], ...options })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { child, printed: () => text }
}

/** Runs the built program until it exits. After 20 s it is killed, and its code is null. */
export async function runProgram(settings: Record<string, string>, cwd: string) {
  const { child, printed } = launch(settings, cwd, { timeout: 20_000 })
  const [code] = await once(child, 'close')
  return { code: code as number | null, printed: printed() }
}

/**
 * Sends the signal during the start, as soon as `when` is true, and waits for the end. With `toAll` its child processes get
 * the signal too, as from a terminal.
 */
export async function endAtStart(
  settings: Record<string, string>,
  cwd: string,
  { signal, when, toAll = false }: { signal: NodeJS.Signals; when: () => boolean; toAll?: boolean },
) {
  const { child, printed } = launch(settings, cwd, { ownGroup: toAll })
  const { pid } = child
  const look = setInterval(() => {
    if (pid === undefined || !when()) return
    clearInterval(look)
    process.kill(toAll ? -pid : pid, signal)
  }, 1)
  const [code, by] = await once(child, 'close')
  clearInterval(look)
  return { code: code as number | null, by: by as string | null, printed: printed() }
}

/** Starts the built program as one file, or that of another command, and waits until it listens. */
export async function startProgram(
  settings: Record<string, string>,
  cwd: string,
  command = builtCommand(),
): Promise<Program> {
  const { child, printed } = launch(settings, cwd, { command })
  const closed = once(child, 'close')
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const found = /Headsup is listening on (\S+)/.exec(printed())?.[1]
      if (found) resolve(found)
    }
    child.stdout.on('data', look)
    closed.then(() => reject(new Error(`The program ended:\n${printed()}`)))
  })
  return {
    child,
    url,
    printed,
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      const [code, by] = await closed
      return code ?? by
    },
  }
}
