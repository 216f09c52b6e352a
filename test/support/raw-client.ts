import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection on which a test writes any bytes. */
export interface RawConnection {
  socket: Socket
  write(text: string): void
  /** Everything received so far. */
  received(): string
  /** Resolves when the received text matches. Rejects if the connection closes before. */
  until(pattern: RegExp): Promise<string>
  /** Resolves with the received text when the service closes the connection. */
  closed(): Promise<string>
  end(): void
}

export async function connectRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  let text = ''
  let isClosed = false
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  // A reset counts as closed.
  socket.on('error', () => {})
  socket.on('close', () => {
    isClosed = true
  })
  await once(socket, 'connect')
  return {
    socket,
    write: (sent) => void socket.write(sent, 'latin1'),
    received: () => text,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (pattern.test(text)) resolve(text)
        }
        socket.on('data', look)
        socket.on('close', () => reject(new Error(`closed after: ${text}`)))
        look()
      }),
    async closed() {
      if (!isClosed) await once(socket, 'close')
      return text
    },
    end: () => socket.destroy(),
  }
}

/** The statuses of all responses in the text, in order. */
export function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}
