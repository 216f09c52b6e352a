import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Program } from './program.ts'

const file = fileURLToPath(new URL('service-server.mjs', import.meta.url))

interface Message {
  number: number
  /** What was logged. */
  text?: string
  /** Whether this is the reply to a request. */
  done?: boolean
  url?: string
  failure?: string
}

let server: ChildProcess | undefined
let services = 0
const receivers = new Map<number, (message: Message) => void>()

/**
 * Starts the built service with these settings, in a process that all test files of a worker share: for tests of which the
 * process is not the subject.
 */
export async function startBuiltService(settings: Record<string, string>): Promise<Omit<Program, 'child'>> {
  server ??= startServer()
  const at = server
  const number = ++services
  let printed = ''
  let reply: (message: Message) => void = () => {}
  receivers.set(number, (message) => {
    printed += message.text ?? ''
    if (message.done) reply(message)
  })
  const request = (fields: object) =>
    new Promise<string>((resolve, reject) => {
      reply = ({ failure, url = '' }) => (failure === undefined ? resolve(url) : reject(new Error(failure)))
      at.send({ number, ...fields })
    })
  const url = await request({ settings: { PORT: '0', ...settings } })
  return {
    url,
    printed: () => printed,
    async end() {
      await request({ end: true })
      receivers.delete(number)
      return 0
    },
  }
}

function startServer(): ChildProcess {
  const started = fork(file, { execArgv: [], env: { PATH: process.env.PATH ?? '' } })
  started.on('message', (message: Message) => receivers.get(message.number)?.(message))
  started.once('exit', () => {
    for (const [number, receive] of receivers) receive({ number, done: true, failure: 'The process has ended.' })
  })
  // It ends with the worker.
  started.unref()
  started.channel?.unref()
  return started
}
