import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy. Its address stays the same while its target changes, as in a failover. */
export interface TcpProxy {
  port: number
  /** Changes the target and breaks existing connections. With undefined new connections are closed. */
  setTarget(port: number | undefined): void
  /** Existing connections stay open but transfer nothing, as when a machine disappears. New ones work. */
  silence(): void
  /** Breaks existing connections. New ones work. */
  breakAll(): void
  /** Calls the listener with what clients send, before it is passed on. */
  onSent(listener: (data: Buffer) => void): void
  stop(): Promise<void>
}

/** Starts a proxy of a database, and returns its URL too. */
export async function startDatabaseProxy(postgres: { port: number; url: string }): Promise<TcpProxy & { url: string }> {
  const address = await startTcpProxy(postgres.port)
  const url = new URL(postgres.url)
  url.port = String(address.port)
  return { ...address, url: url.href }
}

export async function startTcpProxy(first: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const listeners: ((data: Buffer) => void)[] = []
  let target: number | undefined = first
  const server = createServer((socket) => {
    if (target === undefined) return socket.destroy()
    for (const listener of listeners) socket.on('data', listener)
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
  if (typeof address !== 'object' || address === null) throw new Error('the proxy does not listen')
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    setTarget(port) {
      target = port
      breakAll()
    },
    silence() {
      for (const socket of sockets) {
        socket.unpipe()
        socket.on('data', () => {})
      }
    },
    breakAll,
    onSent: (listener) => void listeners.push(listener),
    async stop() {
      breakAll()
      server.close()
      await once(server, 'close')
    },
  }
}
