import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const file = fileURLToPath(new URL('command-server.mjs', import.meta.url))

export interface Command {
  argv: readonly string[]
  env: Record<string, string>
  cwd: string
  /** All of stdin. */
  input: string
  /** The paths of Node and of the program, for hooks that name them. */
  program: readonly string[]
}

export interface RunningCommand {
  /** What was printed so far. */
  out(): string
  err(): string
  /** The exit status. */
  ended: Promise<number>
  stop(): void
}

interface Message {
  number: number
  out?: string
  err?: string
  code?: number
}

interface Run {
  receive(message: Message): void
  fail(error: Error): void
}

let server: ChildProcess | undefined
let commands = 0
const runs = new Map<number, Run>()

/** Runs the built command line in a process that all tests of a worker share: a start of Node takes longer than most commands. */
export function startCommand(command: Command): RunningCommand {
  server ??= startServer()
  const current = server
  const number = ++commands
  let [out, err] = ['', '']
  const ended = new Promise<number>((resolve, reject) => {
    const receive = (message: Message) => {
      out += message.out ?? ''
      err += message.err ?? ''
      if (message.code === undefined) return
      runs.delete(number)
      resolve(message.code)
    }
    runs.set(number, { receive, fail: reject })
  })
  current.send({ number, ...command })
  return { out: () => out, err: () => err, ended, stop: () => void current.send({ number, stop: true }) }
}

/** It ends with its worker. */
function startServer(): ChildProcess {
  const started = fork(file, { execArgv: [] })
  started.on('message', (message: Message) => runs.get(message.number)?.receive(message))
  started.once('exit', () => {
    for (const { fail } of runs.values()) fail(new Error('The process of the commands has ended.'))
    runs.clear()
    server = undefined
  })
  return started
}
