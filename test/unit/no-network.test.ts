import { once } from 'node:events'
import { get } from 'node:http'
import { get as getSecurely } from 'node:https'
import { type AddressInfo, connect, createServer } from 'node:net'
import { describe, expect, it } from 'vitest'

/** Of the addresses for documentation, which nobody has. */
const elsewhere = '192.0.2.1'
const refused = `A test may not connect to ${elsewhere}.`

describe('a test', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['net', () => once(connect(80, elsewhere), 'connect')],
    ['http', () => once(get(`http://${elsewhere}/`), 'response')],
    ['https', () => once(getSecurely(`https://${elsewhere}/`), 'response')],
  ])('can not reach another machine by %s', async (_, reach) => {
    await expect(reach()).rejects.toThrow(refused)
  })

  it('can not reach another machine by fetch', async () => {
    await expect(fetch(`https://${elsewhere}/`)).rejects.toMatchObject({ cause: new Error(refused) })
  })

  it('can reach this machine, by name and by number', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    for (const host of ['127.0.0.1', 'localhost']) await once(connect(port, host), 'connect')
    await once(connect({ port }), 'connect')
    server.close()
  })
})
