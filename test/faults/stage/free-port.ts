import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port that stays the same while what listens on it comes and goes. */
export async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no port was given')
  return address.port
}
