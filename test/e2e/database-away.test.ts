import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/service/db/embedded/start.ts'
import { call, refusal } from '../support/client.ts'
import { type Github, startGithub } from '../support/github/start.ts'
import { silentLog } from '../support/log.ts'
import { type Program, startProgram } from '../support/program.ts'
import { copyUsedDataDirectory } from '../support/used-data-directory.ts'

let directory: string
let github: Github
let postgres: EmbeddedPostgres
let program: Program

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'headsup-away-'))
  await chmod(directory, 0o755)
  await copyUsedDataDirectory(directory)
  github = await startGithub()
  postgres = await startEmbeddedPostgres({ dataDir: directory, log: silentLog, settings: ['fsync=off'] })
  const settings = { DATABASE_URL: postgres.url, HOST: '127.0.0.1', GITHUB_API_URL: github.url, WEBHOOK_SECRET: 's' }
  program = await startProgram(settings, directory)
})
afterAll(async () => {
  await program.end()
  await github.stop()
  await rm(directory, { recursive: true, force: true })
})

it('a start continues after connections to the database break in each of its steps', async () => {
  // The migrations, the check of the GitHub server, and the key of the sessions.
  const left = ['_prisma_migrations', 'github_server_url', 'session_secret']
  const database = new URL(postgres.url)
  const port = Number(database.port)
  const proxy = createServer((socket) => {
    const onward = connect(port, '127.0.0.1')
    socket.on('error', () => {}).on('close', () => onward.destroy())
    onward.on('error', () => {}).on('close', () => socket.destroy())
    onward.pipe(socket)
    socket.on('data', (sent) => {
      const broken = left.findIndex((text) => sent.includes(text))
      if (broken < 0) return void onward.write(sent)
      left.splice(broken, 1)
      onward.destroy()
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void proxy.close())
  await once(proxy, 'listening')
  database.port = String((proxy.address() as AddressInfo).port)
  const settings = { DATABASE_URL: database.href, HOST: '127.0.0.1', GITHUB_API_URL: github.url }
  const second = await startProgram(settings, directory)
  expect(left).toEqual([])
  expect((await call(`${second.url}/readyz`)).status).toBe(200)
  expect(await second.end()).toBe(0)
})

describe('while the database is unreachable', () => {
  it('every route answers 503 with Retry-After, also /readyz, and /healthz stays 200', async () => {
    const { owner, name, writer } = github.addRepository('away')
    const base = `${program.url}/api/v1/repos/${owner}/${name}`
    const work = { title: 'T', summary: 'S', actor: 'A' }
    const created = await call(`${base}/activity`, { method: 'POST', token: writer, body: work })
    const { id } = (created.body as { activity: { id: string } }).activity
    expect((await call(`${program.url}/readyz`)).status).toBe(200)
    await postgres.stop()
    const notable = { title: 'T', summary: 'S', importance: 'low', category: 'process' }
    const asked: [string, string, unknown?][] = [
      ['GET', '/activity'],
      ['POST', '/activity', work],
      ['POST', '/activity/check', { scope: { paths: ['a'] } }],
      ['GET', `/activity/${id}`],
      ['PATCH', `/activity/${id}`, { risk: 'high' }],
      ['POST', `/activity/${id}/heartbeat`],
      ['POST', `/activity/${id}/archive`],
      ['GET', '/notables'],
      ['POST', '/notables', notable],
    ]
    for (const [method, path, body] of asked) {
      const answer = await call(base + path, { method, token: writer, ...(body ? { body } : {}) })
      expect({ path, ...refusal(answer) }).toEqual({ path, status: 503, code: 'unavailable' })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    const keyed = { method: 'POST', token: writer, body: work, headers: { 'idempotency-key': 'k' } }
    expect(refusal(await call(`${base}/activity`, keyed))).toEqual({ status: 503, code: 'unavailable' })
    expect(refusal(await call(`${program.url}/readyz`))).toEqual({ status: 503, code: 'unavailable' })
    expect((await call(`${program.url}/healthz`)).status).toBe(200)
  })
})
