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

/** How long to retry a start that fails because a killed server still holds resources, in milliseconds. */
const retryMs = 30_000
/** A server that ran this long before it crashed is restarted immediately. Others are restarted after a delay. */
const stableMs = 60_000

/** Starts the server on a free port, and restarts it if it crashes. Throws `StartError`. */
export async function runServer(
  cluster: Cluster,
  { settings, log }: Pick<Run, 'settings' | 'log'>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const deadline = Date.now() + retryMs
  for (;;) {
    const port = await freePort()
    const url = `postgresql://${superuser}:${cluster.password}@127.0.0.1:${port}/postgres?sslmode=disable`
    const server = await launch(cluster, port, settings)
    try {
      await untilReady(server, url, log)
      return { url, stop: supervise(server, cluster, { port, url, settings, log }) }
    } catch (error) {
      await end(server)
      if (!isTemporary(server.recentLog()) || Date.now() > deadline) throw error
      await sleep(250)
    }
  }
}

/** Another program took the port meanwhile, or a killed server still holds a lock or shared memory. */
function isTemporary(recentLog: string): boolean {
  return /could not bind|could not create any TCP|lock file ".*" already exists|shared memory block/.test(recentLog)
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

/** Restarts the server when it crashes. Returns a function that stops it (a fast shutdown) and waits until it has ended. */
function supervise(first: ServerProcess, cluster: Cluster, { port, url, settings, log }: Run): () => Promise<void> {
  let server = first
  const stopping = new AbortController()
  // Stops the server also if the process exits early. After a `kill -9`, the next start stops it.
  const stopOnExit = () => void server.child.kill('SIGINT')
  process.once('exit', stopOnExit)

  async function watch(): Promise<void> {
    for (let wait = 0; ; wait = Math.min(Math.max(wait * 2, 200), 10_000)) {
      const startedAt = Date.now()
      await server.ended
      if (stopping.signal.aborted) return
      const { exitCode: code, signalCode: signal } = server.child
      log.error({ code, signal, said: server.recentLog() }, 'the embedded PostgreSQL ended; starting it again')
      if (Date.now() - startedAt > stableMs) wait = 0
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
    process.removeListener('exit', stopOnExit)
  }
}
