import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../lib/log.ts'
import { type Cluster, superuser } from './cluster.ts'
import { launch, type ServerProcess, untilReady } from './process.ts'

interface Run {
  port: number
  url: string
  settings: string[]
  log: Log
}

/** How long a start may be held up by what a server that was just killed has not let go of yet. */
const patienceMs = 30_000
/** A server that ran this long before it crashed is started again at once; others after a while. */
const soundMs = 60_000

/** Starts the server on a free port, and starts it again whenever it ends without being told to. Throws `StartError`. */
export async function runServer(
  cluster: Cluster,
  { settings, log }: Pick<Run, 'settings' | 'log'>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const port = await freePort()
    const url = `postgresql://${superuser}:${cluster.password}@127.0.0.1:${port}/postgres?sslmode=disable`
    const server = await launch(cluster, port, settings)
    try {
      await untilReady(server, url, log)
      return { url, stop: supervise(server, cluster, { port, url, settings, log }) }
    } catch (error) {
      await end(server)
      if (!isPassing(server.lastWords()) || Date.now() > deadline) throw error
      await sleep(250)
    }
  }
}

/** Another program was given the port meanwhile, or what a killed server had begun is not over. */
function isPassing(words: string): boolean {
  return /could not bind|could not create any TCP|lock file ".*" already exists|shared memory block/.test(words)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

async function end({ child, ended }: ServerProcess): Promise<void> {
  child.kill('SIGINT')
  await ended
}

/** Keeps a server running until the function that it returns is called: a fast shutdown, waited for. */
function supervise(first: ServerProcess, cluster: Cluster, { port, url, settings, log }: Run): () => Promise<void> {
  let server = first
  const stopping = new AbortController()
  // Also where the process ends in a way that lets nothing finish; what a `kill -9` leaves is for the next start.
  const endWithUs = () => void server.child.kill('SIGINT')
  process.once('exit', endWithUs)

  async function watch(): Promise<void> {
    for (let wait = 0; ; wait = Math.min(Math.max(wait * 2, 200), 10_000)) {
      const begun = Date.now()
      await server.ended
      if (stopping.signal.aborted) return
      const { exitCode: code, signalCode: signal } = server.child
      log.error({ code, signal, said: server.lastWords() }, 'the embedded PostgreSQL ended; starting it again')
      if (Date.now() - begun > soundMs) wait = 0
      await sleep(wait, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      server = await launch(cluster, port, settings)
      if (stopping.signal.aborted) return end(server)
      await untilReady(server, url, log).then(
        () => log.info({}, 'the embedded PostgreSQL answers again'),
        () => end(server),
      )
    }
  }

  const watching = watch()
  return async () => {
    stopping.abort()
    server.child.kill('SIGINT')
    await watching
    process.removeListener('exit', endWithUs)
  }
}
