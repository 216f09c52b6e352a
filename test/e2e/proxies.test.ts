import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../faults/stage/free-port.ts'
import { secret, sign } from '../support/deliveries.ts'
import { startTestService, type TestService } from '../support/service.ts'

const name = 'headsup.acme.dev'
const certificate = (kind: string) =>
  readFileSync(fileURLToPath(new URL(`../fixtures/certificates/valid.${kind}`, import.meta.url)), 'utf8')

interface Ports {
  http: number
  https: number
  service: number
}

/** Replaces what differs between the file's machine and the test's. Throws where the file has no such text. */
function replaced(file: string, texts: [from: string, to: string][]): string {
  let text = readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')
  for (const [from, to] of texts) {
    if (!text.includes(from)) throw new Error(`deploy/${file} lacks ${from}`)
    text = text.replaceAll(from, to)
  }
  return text
}

/** How each proxy is run with our file for it, in a directory that has `cert.pem`, `key.pem` and `both.pem`. */
const proxies = [
  {
    program: 'nginx',
    prepare(directory: string, { http, https, service }: Ports) {
      const server = replaced('nginx.conf', [
        ['listen 80;', `listen 127.0.0.1:${http};`],
        ['listen 443 ', `listen 127.0.0.1:${https} `],
        ['/etc/letsencrypt/live/headsup.acme.dev/fullchain.pem', join(directory, 'cert.pem')],
        ['/etc/letsencrypt/live/headsup.acme.dev/privkey.pem', join(directory, 'key.pem')],
        ['127.0.0.1:3000', `127.0.0.1:${service}`],
      ])
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${directory}/${kind};`,
      )
      const user = process.getuid?.() === 0 ? 'user root;' : ''
      const main = `${user} daemon off; pid ${directory}/pid; events {} http { access_log off; ${temporary.join(' ')}\n${server}}`
      writeFileSync(join(directory, 'nginx.conf'), main)
      return ['-p', directory, '-e', join(directory, 'log'), '-c', join(directory, 'nginx.conf')]
    },
  },
  {
    program: 'haproxy',
    prepare(directory: string, { http, https, service }: Ports) {
      const settings = replaced('haproxy.cfg', [
        ['\tlog /dev/log local0\n\tuser haproxy\n\tgroup haproxy\n', ''],
        ['\tlog global\n', ''],
        ['bind :80', `bind 127.0.0.1:${http}`],
        ['bind :443', `bind 127.0.0.1:${https}`],
        ['/etc/haproxy/headsup.acme.dev.pem', join(directory, 'both.pem')],
        ['127.0.0.1:3000', `127.0.0.1:${service}`],
      ])
      writeFileSync(join(directory, 'haproxy.cfg'), settings)
      return ['-db', '-f', join(directory, 'haproxy.cfg')]
    },
  },
]

describe.each(proxies)('behind $program with our settings', ({ program, prepare }) => {
  const isThere = spawnSync(program, ['-v']).status === 0
  const directory = mkdtempSync(join(tmpdir(), 'headsup-proxy-'))
  let service: TestService
  let ports: Ports
  let running: ChildProcess | undefined

  beforeAll(async () => {
    writeFileSync(join(directory, 'cert.pem'), certificate('pem'))
    writeFileSync(join(directory, 'key.pem'), certificate('key'))
    writeFileSync(join(directory, 'both.pem'), certificate('pem') + certificate('key'))
    service = await startTestService({ live: { pollMs: 30 }, webhookSecret: secret, publicUrl: `https://${name}` })
  })
  afterEach(async () => {
    if (!running) return
    const ended = once(running, 'exit')
    running.kill('SIGTERM')
    await ended
    running = undefined
  })
  afterAll(async () => {
    await service.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  /** Starts the proxy in front of the service at this address. */
  async function start(url = service.url): Promise<void> {
    ports = { http: await freePort(), https: await freePort(), service: Number(new URL(url).port) }
    running = spawn(program, prepare(directory, ports), { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    running.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
    for (let tries = 0; !(await accepts(ports.https)); tries++) {
      if (tries > 500 || running.exitCode !== null) throw new Error(`${program} does not start:\n${said}`)
      await sleep(20)
    }
  }

  /** Sends a request by TLS to the proxy, and waits for the headers of the response. */
  async function send(path: string, headers: Record<string, string> = {}, body?: string): Promise<IncomingMessage> {
    const sent = requestHttps({
      ...{ host: '127.0.0.1', port: ports.https, path, rejectUnauthorized: false },
      ...{ method: body === undefined ? 'GET' : 'POST', headers: { host: name, ...headers } },
    })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response.setEncoding('utf8')
  }

  it.skipIf(!isThere)('plain HTTP is redirected to HTTPS', async () => {
    await start()
    const sent = requestHttp({ host: '127.0.0.1', port: ports.http, path: '/docs?a=b', headers: { host: name } }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect([response.statusCode, response.headers.location]).toEqual([301, `https://${name}/docs?a=b`])
  })

  it.skipIf(!isThere)(
    'the service gets the name, the scheme and the address of the client, whatever the client says',
    async () => {
      const recorder = createServer((request, response) => response.end(JSON.stringify(request.headers)))
      await new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve))
      try {
        await start(`http://127.0.0.1:${(recorder.address() as AddressInfo).port}`)
        const response = await send('/', { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'http' })
        expect(JSON.parse(await textOf(response))).toMatchObject({
          ...{ host: name, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' },
        })
      } finally {
        recorder.closeAllConnections()
        recorder.close()
      }
    },
  )

  it.skipIf(!isThere)('a webhook of 20 MB arrives whole', async () => {
    await start()
    const body = JSON.stringify({ zen: 'x'.repeat(20_000_000), hook_id: 1 })
    const response = await send('/api/github/webhooks', signed('ping', body), body)
    expect([response.statusCode, await textOf(response)]).toEqual([200, '{"outcome":"ignored"}\n'])
  })

  it.skipIf(!isThere)('a stream of events begins at once, and goes on with each change', async () => {
    await start()
    const repository = service.newRepository()
    const path = `/api/v1${repository.path}/events`
    const response = await send(path, { authorization: `Bearer ${repository.reader}` })
    let text = ''
    response.on('data', (piece: string) => (text += piece))
    await expect.poll(() => text).toContain('event: snapshot')
    await repository.created('/activity', { title: 'Seen through it', summary: 'x', actor: 'Alice', branch: 'feat' })
    await expect.poll(() => text).toContain('Seen through it')
    response.destroy()
  })
})

function signed(event: string, body: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'x-github-event': event,
    'x-github-delivery': '1f7ee5c0-0001-11f0-8000-000000000001',
    'x-hub-signature-256': sign(body),
  }
}

async function textOf(response: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of response) text += piece
  return text
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.destroy())
    socket.once('error', () => resolve(false)).once('close', (failed) => resolve(!failed))
  })
}
