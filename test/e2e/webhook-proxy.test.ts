import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { createTestDatabase } from '../support/database.ts'
import { secret, sign } from '../support/deliveries.ts'
import { type Github, startGithub } from '../support/github/start.ts'
import { startBuiltService } from '../support/service-server.ts'

const listeners = new Set<ServerResponse>()
/** As much of smee.io as there is: whoever listens to a channel is sent what arrives there. */
const channel = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write('event: ready\ndata: {}\n\n')
  listeners.add(response)
})
let github: Github
let program: Awaited<ReturnType<typeof startBuiltService>>
let database: Awaited<ReturnType<typeof createTestDatabase>>

beforeAll(async () => {
  await new Promise<void>((resolve) => channel.listen(0, '127.0.0.1', resolve))
  const source = `http://127.0.0.1:${(channel.address() as AddressInfo).port}/channel`
  github = await startGithub()
  database = await createTestDatabase()
  const settings = { DATABASE_URL: database.url, HOST: '127.0.0.1', GITHUB_API_URL: github.url, WEBHOOK_SECRET: secret }
  program = await startBuiltService({ ...settings, WEBHOOK_PROXY_URL: source })
})
afterAll(async () => {
  await program.end()
  channel.closeAllConnections()
  channel.close()
  await github.stop()
  await database.drop()
})

describe('a smee channel', () => {
  it('brings deliveries to a service that GitHub can not reach', async () => {
    const { id, owner, name, writer } = github.addRepository('proxied')
    const base = `${program.url}/api/v1/repos/${owner}/${name}/activity`
    const work = { title: 'T', summary: 'S', actor: 'A', branch: 'feat' }
    const created = await call(base, { method: 'POST', token: writer, body: work })
    const activity = (created.body as { activity: { id: string } }).activity.id
    await expect.poll(() => listeners.size).toBe(1)
    const body = { ref: 'feat', ref_type: 'branch', repository: { id: Number(id), pushed_at: null } }
    const headers = { 'x-github-event': 'delete', 'x-github-delivery': 'via-channel' }
    const data = { ...headers, 'x-hub-signature-256': sign(JSON.stringify(body)), body, query: {} }
    for (const listener of listeners) listener.write(`data: ${JSON.stringify(data)}\n\n`)
    const status = async () =>
      ((await call(`${base}/${activity}`, { token: writer })).body as { status: string }).status
    await expect.poll(status).toBe('archived')
  })
})
