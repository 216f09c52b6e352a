import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RequestHandler } from 'express'
import { type Attempt, createSetupApp, type SetupDependencies, SetupFailure, type SetupOutcome } from './setup-app.ts'

export interface SetupServer {
  /** The address of the page, with its secret part. */
  url: string
  /** Resolves when the server has stopped; undefined if nothing was written. */
  stopped: Promise<SetupOutcome | undefined>
  /** Stops the server. An attempt that is running finishes first. */
  stop(): void
}

/** Serves the set-up page on the loopback address until `.env` is written, or until `stop`. */
export async function startSetupServer(dependencies: SetupDependencies): Promise<SetupServer> {
  const server = createServer()
  let isBusy = false
  let isStopping = false
  let outcome: SetupOutcome | undefined

  function stop() {
    isStopping = true
    server.close()
    closeConnections()
  }
  function closeConnections() {
    if (isStopping && !isBusy) server.closeAllConnections()
  }

  /** Runs one attempt at a time, and none after one has succeeded. */
  const exclusive = (attempt: Attempt): RequestHandler =>
    async function runAttempt(request, response) {
      if (isBusy || outcome) throw new SetupFailure(409, 'Another request is being handled, or the set-up has ended.')
      isBusy = true
      const sent = new Promise<void>((resolve) => {
        if (response.closed) resolve()
        else response.once('close', resolve)
      })
      try {
        outcome = await attempt(request, response)
        stop()
      } finally {
        sent.then(() => {
          isBusy = false
          closeConnections()
        })
      }
    }

  server.listen(dependencies.options.port, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // A browser leaves out port 80.
  const { origin } = new URL(`http://127.0.0.1:${port}`)
  const own = { origin, secret: randomBytes(24).toString('hex') }
  server.on('request', createSetupApp(dependencies, own, exclusive))
  return { url: `${origin}/${own.secret}/`, stopped: once(server, 'close').then(() => outcome), stop }
}
