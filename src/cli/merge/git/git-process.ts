import { spawn } from 'node:child_process'
import { NotTried } from '../merge-result.ts'

export interface GitCall {
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  input?: string
  /** Called now and then while git runs; throws to end it. */
  watch?: () => void
}

export interface GitResult {
  code: number
  stdout: Buffer
  stderr: string
}

export interface GitProcesses {
  /** Rejects with `NotTried` where the time or the output is too much, or git cannot be run. */
  run(call: GitCall): Promise<GitResult>
  /** Ends all of them, with the programs that they have started. */
  kill(): void
}

interface Bounds {
  /** As by `performance.now()`. */
  deadline: number
  signal: AbortSignal
}

const maxOutputBytes = 64 * 1024 * 1024
const watchMs = 50

/**
 * Runs git in sessions of their own: there is no terminal to ask on, and one signal ends git with its helpers. Nothing of the
 * caller's variables for git survives, since a hook of git names its own repository and index.
 */
export function startGitProcesses({ deadline, signal }: Bounds): GitProcesses {
  const running = new Set<number>()
  // One listener for all of them.
  const outOfTime = new Set<() => void>()
  const onAbort = () => {
    for (const giveUp of outOfTime) giveUp()
  }
  const end = (pid: number) => {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  const run = ({ args, cwd, env, input, watch }: GitCall) =>
    new Promise<GitResult>((resolve, reject) => {
      const leftMs = deadline - performance.now()
      if (leftMs <= 0 || signal.aborted) return reject(new NotTried('time'))
      const child = spawn('git', args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
      const { pid } = child
      if (pid !== undefined) running.add(pid)
      const giveUp = (reason: unknown) => {
        if (pid !== undefined) end(pid)
        reject(reason)
      }
      const endOfTime = () => giveUp(new NotTried('time'))
      const timer = setTimeout(endOfTime, leftMs)
      if (outOfTime.size === 0) signal.addEventListener('abort', onAbort, { once: true })
      outOfTime.add(endOfTime)
      const watcher = watch && setInterval(() => attempt(watch, giveUp), watchMs)
      const stdout: Buffer[] = []
      const stderr: Buffer[] = []
      let bytes = 0
      const collect = (into: Buffer[]) => (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > maxOutputBytes) giveUp(new NotTried('too_large'))
        else into.push(chunk)
      }
      child.stdout.on('data', collect(stdout))
      child.stderr.on('data', collect(stderr))
      // git may end before it reads all of it.
      child.stdin.on('error', () => {})
      child.stdin.end(input)
      const settle = () => {
        clearTimeout(timer)
        clearInterval(watcher)
        outOfTime.delete(endOfTime)
        if (outOfTime.size === 0) signal.removeEventListener('abort', onAbort)
        if (pid !== undefined) running.delete(pid)
      }
      child.on('error', () => {
        settle()
        reject(new NotTried('failed'))
      })
      child.on('close', (code) => {
        settle()
        resolve({ code: code ?? -1, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() })
      })
    })
  return {
    run,
    kill() {
      for (const pid of running) end(pid)
    },
  }
}

function attempt(watch: () => void, giveUp: (reason: unknown) => void): void {
  try {
    watch()
  } catch (error) {
    giveUp(error)
  }
}
