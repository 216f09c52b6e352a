import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '../../errors.ts'

interface Where {
  port: number
  host: string
  /** The setting that says the port. */
  variable: string
}

/** Listens, and says where, such as `http://127.0.0.1:3000`. Throws `StartError` where it can't. */
export async function listen(server: Server, where: Where): Promise<string> {
  const { port, host } = where
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFault(error, where)))
    server.listen({ port, host, backlog: 4096 }, resolve)
  })
  const address = server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${shown}:${address.port}`
}

function listenFault(error: NodeJS.ErrnoException, { port, host, variable }: Where): Error {
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
