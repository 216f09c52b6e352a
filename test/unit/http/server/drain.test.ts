import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { drainable } from '../../../../src/service/api/http/server/drain.ts'
import { connectRaw, statuses } from '../../../support/raw-client.ts'

it.each([
  ['nothing', ''],
  ['half a request', 'GET / HTTP/1.1\r\nHost: a'],
])('a connection that sent %s is closed while a pending request is still served', async (_, sent) => {
  const { http, drain } = drainable(createServer())
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const [silent, busy] = [await connectRaw(url), await connectRaw(url)]
  silent.write(sent)
  busy.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const [, response]: [unknown, ServerResponse] = await new Promise((resolve) => {
    http.once('request', (request, answer) => resolve([request, answer]))
  })
  const drained = drain()
  expect(await silent.closed()).toBe('')
  response.end('done')
  expect(statuses(await busy.closed())).toEqual([200])
  await drained
})
