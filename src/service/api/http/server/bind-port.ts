import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '../../../../core/errors.ts'

interface Address {
  port: number
  host: string
  /** The environment variable that sets the port. */
  variable: string
}

/** Listens, and returns the URL, such as `http://127.0.0.1:3000`. Throws `StartError` if the address cannot be used. */
export async function listen(server: Server, address: Address): Promise<string> {
  const { port, host } = address
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error, address)))
    server.listen({ port, host, backlog: 4096 }, resolve)
  })
  const bound = server.address() as AddressInfo
  const shown = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address
  return `http://${shown}:${bound.port}`
}

/** Throws `StartError` if `listen` could not use the address now. */
export async function requireFree(address: Address): Promise<void> {
  const server = createServer()
  await listen(server, address)
  await new Promise((resolve) => server.close(resolve))
}

function toListenError(error: NodeJS.ErrnoException, { port, host, variable }: Address): Error {
  const reasons = new Map([
    ['EADDRINUSE', 'is in use by another program'],
    ['EACCES', 'may not be used by this user'],
    ['EADDRNOTAVAIL', 'is no address of this machine'],
    ['ENOTFOUND', 'is no address of this machine'],
  ])
  const reason = reasons.get(error.code ?? '')
  return reason
    ? new StartError(`${host}:${port} ${reason}. Set ${variable} or HOST to another.`, { cause: error })
    : error
}
