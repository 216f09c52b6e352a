import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** An address that stays the same while what answers there changes, as a database's name does in a failover. */
export interface Address {
  port: number
  /** From now on connections lead there; those that there are break. Undefined: nobody answers. */
  leadTo(port: number | undefined): void
  /** Those connections that there are carry nothing any more, and do not break: the machine is gone. New ones are served. */
  silence(): void
  stop(): Promise<void>
}

/** One that leads to a database, and the URL by which it is reached there. */
export async function startAddressOf(postgres: { port: number; url: string }): Promise<Address & { url: string }> {
  const address = await startAddress(postgres.port)
  const url = new URL(postgres.url)
  url.port = String(address.port)
  return { ...address, url: url.href }
}

export async function startAddress(first: number): Promise<Address> {
  const sockets = new Set<Socket>()
  let target: number | undefined = first
  const server = createServer((socket) => {
    if (target === undefined) return socket.destroy()
    const onward = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.once('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the address has no port')
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    leadTo(port) {
      target = port
      breakAll()
    },
    silence() {
      for (const socket of sockets) {
        socket.unpipe()
        socket.on('data', () => {})
      }
    },
    async stop() {
      breakAll()
      server.close()
      await once(server, 'close')
    },
  }
}
