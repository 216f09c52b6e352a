import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Request, RequestHandler, Response } from 'express'
import { createSetupApp, type SetupDependencies } from './setup-app.ts'
import { SetupFailure } from './setup-failure.ts'

/** What a finished set-up has written. */
export interface Outcome {
  names: string[]
  /** Where the new App is installed; undefined for an App that was there before. */
  installUrl: string | undefined
}

export interface SetupServer {
  /** The page's address, with its random part. */
  url: string
  /** Once the server has stopped: what was written, if anything was. */
  stopped: Promise<Outcome | undefined>
  /** Stops the server. An App that is being registered is written first. */
  stop(): void
}

/** Serves the set-up page on the loopback address until `.env` is written, or until `stop`. */
export async function startSetupServer(dependencies: SetupDependencies): Promise<SetupServer> {
  const server = createServer()
  let isBusy = false
  let isStopping = false
  let outcome: Outcome | undefined

  function stop() {
    isStopping = true
    server.close()
    closeConnections()
  }
  function closeConnections() {
    if (isStopping && !isBusy) server.closeAllConnections()
  }

  /** One attempt at a time, and none after the one that succeeded. */
  const exclusive = (attempt: Attempt): RequestHandler =>
    async function exclusively(request, response) {
      if (isBusy || outcome) throw new SetupFailure(409, 'Another request is being handled, or the set-up has ended.')
      isBusy = true
      const answered = new Promise<void>((resolve) => {
        if (response.closed) resolve()
        else response.once('close', resolve)
      })
      try {
        outcome = await attempt(request, response)
        if (outcome) stop()
      } finally {
        answered.then(() => {
          isBusy = false
          closeConnections()
        })
      }
    }

  server.listen(dependencies.options.port, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // As a browser writes it: without the port where that is 80.
  const { origin } = new URL(`http://127.0.0.1:${port}`)
  const own = { origin, secret: randomBytes(24).toString('hex') }
  server.on('request', createSetupApp(dependencies, own, exclusive))
  return { url: `${origin}/${own.secret}/`, stopped: once(server, 'close').then(() => outcome), stop }
}

/** Answers the request; what it has written, where it succeeded. */
export type Attempt = (request: Request, response: Response) => Promise<Outcome | undefined>
