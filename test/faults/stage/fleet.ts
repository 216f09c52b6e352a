import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secret } from '../../support/deliveries.ts'
import { type Program, startProgram } from '../../support/program.ts'
import { freePort } from './free-port.ts'

/** One instance of the service. Its address stays the same when it restarts. */
export interface Instance {
  url: string
  /** The current process, if it runs. */
  program(): Program | undefined
  start(): Promise<void>
  end(signal?: NodeJS.Signals): Promise<number | string | undefined>
}

export interface Fleet {
  instances: readonly Instance[]
  urls: readonly string[]
  /** The working and temporary directory of the instances. */
  directory: string
  stop(): Promise<void>
}

/** What sets an instance apart from the others. */
export interface InstanceOptions {
  settings?: Record<string, string>
  /** Starts another program. */
  command?: string[]
}

/** Starts several instances of the built program on one database. */
export async function startFleet(each: readonly InstanceOptions[], shared: Record<string, string>): Promise<Fleet> {
  const directory = await mkdtemp(join(tmpdir(), 'headsup-fleet-'))
  const start = ({ settings, command }: InstanceOptions) => instanceIn(directory, { ...shared, ...settings }, command)
  const instances = await Promise.all(each.map(start))
  // One after another: the first one applies the migrations.
  for (const instance of instances) await instance.start()
  return {
    instances,
    urls: instances.map(({ url }) => url),
    directory,
    async stop() {
      await Promise.all(instances.map(({ end }) => end('SIGKILL')))
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function instanceIn(directory: string, settings: Record<string, string>, command?: string[]): Promise<Instance> {
  const port = await freePort()
  const always = {
    HOST: '127.0.0.1',
    PORT: String(port),
    TMPDIR: directory,
    LOG_LEVEL: 'error',
    WEBHOOK_SECRET: secret,
  }
  let program: Program | undefined
  return {
    url: `http://127.0.0.1:${port}`,
    program: () => program,
    async start() {
      program = await startProgram({ ...always, ...settings }, directory, command)
    },
    async end(signal) {
      const ended = await program?.end(signal)
      program = undefined
      return ended
    },
  }
}
