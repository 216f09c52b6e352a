import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Of `npm run build`. */
const program = fileURLToPath(new URL('../../dist/service/main.js', import.meta.url))

export interface ServiceProcess {
  child: ChildProcess
  url: string
  metricsUrl: string
  /** Everything that it has printed so far. */
  output(): string
  /** How it ended, once it has. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

const command = [process.execPath, program]
/** With a shell between us and the service, as npm has some. */
export const behindShell = ['sh', '-c', '"$0" "$1"; exit $?', ...command]

/** Runs the built service with nothing of our environment. It may fail to start: see `ended` and `output`. */
export function runService(environment: Record<string, string>, cwd = '/tmp', [name = '', ...args] = command) {
  const env = { PATH: process.env.PATH, HOME: cwd, PORT: '0', HOST: '127.0.0.1', ...environment }
  const child = spawn(name, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const take = (text: Buffer) => {
    output += text
    child.emit('printed')
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  return { child, ended, output: () => output }
}

/** Waits until it listens. Throws its output where it ends before. */
export async function startServiceProcess(...given: Parameters<typeof runService>): Promise<ServiceProcess> {
  const run = runService(...given)
  for (;;) {
    const line = run
      .output()
      .split('\n')
      .find((one) => one.includes('"listening"'))
    if (line) {
      const { port, metrics_port } = JSON.parse(line)
      return { ...run, url: `http://127.0.0.1:${port}`, metricsUrl: `http://127.0.0.1:${metrics_port}` }
    }
    const isOver = await Promise.race([once(run.child, 'printed').then(() => false), run.ended.then(() => true)])
    if (isOver) throw new Error(`the service did not start: ${run.output()}`)
  }
}
