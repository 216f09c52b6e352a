import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secret } from '../../support/deliveries.ts'
import { type Program, startProgram } from '../../support/program.ts'
import { freePort } from './free-port.ts'

/** One of the instances: it keeps its place while processes come and go. */
export interface Instance {
  url: string
  /** The process that runs now, if one does. */
  program(): Program | undefined
  start(): Promise<void>
  end(signal?: NodeJS.Signals): Promise<number | string | undefined>
}

export interface Fleet {
  instances: readonly Instance[]
  urls: readonly string[]
  stop(): Promise<void>
}

/** The built program, several times on one database. */
export async function startFleet(count: number, settings: Record<string, string>): Promise<Fleet> {
  const directory = await mkdtemp(join(tmpdir(), 'headsup-fleet-'))
  const instances = await Promise.all(Array.from({ length: count }, () => instanceIn(directory, settings)))
  // In turn: the first one brings the tables.
  for (const instance of instances) await instance.start()
  return {
    instances,
    urls: instances.map(({ url }) => url),
    async stop() {
      await Promise.all(instances.map(({ end }) => end('SIGKILL')))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function instanceIn(directory: string, settings: Record<string, string>): Promise<Instance> {
  const port = await freePort()
  const always = { HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'error', WEBHOOK_SECRET: secret }
  let program: Program | undefined
  return {
    url: `http://127.0.0.1:${port}`,
    program: () => program,
    async start() {
      program = await startProgram({ ...always, ...settings }, directory)
    },
    async end(signal) {
      const ended = await program?.end(signal)
      program = undefined
      return ended
    },
  }
}
