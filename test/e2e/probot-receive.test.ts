import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '../faults/stage/free-port.ts'
import { call } from '../support/client.ts'
import { createTestDatabase } from '../support/database.ts'
import { pullRequestPayload, secret, sign } from '../support/deliveries.ts'
import { type Github, startGithub } from '../support/github/start.ts'
import { connect } from '../support/query.ts'
import { startBuiltService } from '../support/service-server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const app = './dist/service/github/app.js'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let github: Github
let program: Awaited<ReturnType<typeof startBuiltService>>
let repository: ReturnType<Github['addRepository']>
let directory: string
let id: string
let running: ChildProcess | undefined
let repositories = 0

beforeAll(async () => {
  github = await startGithub()
  database = await createTestDatabase()
  program = await startBuiltService({ DATABASE_URL: database.url, HOST: '127.0.0.1', GITHUB_API_URL: github.url })
})
afterAll(async () => {
  await program.end()
  await github.stop()
  await database.drop()
})

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'headsup-probot-'))
  await writeFile(join(directory, 'key.pem'), github.data.app.privateKey)
  repository = github.addRepository(`received-${++repositories}`)
  const work = { title: 'T', summary: 'S', actor: 'A', branch: 'secret-plan' }
  const created = await call(activities(), { method: 'POST', token: repository.writer, body: work })
  id = (created.body as { activity: { id: string } }).activity.id
})
afterEach(async () => {
  kill(running)
  await rm(directory, { recursive: true })
})

const activities = () => `${program.url}/api/v1/repos/${repository.owner}/${repository.name}/activity`
const see = async () => (await call(`${activities()}/${id}`, { token: repository.writer })).body

const merge = () => {
  const changes = { head: 'secret-plan', merged: true, state: 'closed' }
  return JSON.stringify(pullRequestPayload(repository as Parameters<typeof pullRequestPayload>[0], 'closed', changes))
}

/** With the programs that it runs: npx does not pass on the signal. */
function kill(child: ChildProcess | undefined) {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  process.kill(-child.pid, 'SIGKILL')
}

/** What `npx probot` runs. npx takes longer to start than probot. */
const installed = ['./node_modules/.bin/probot']

/** Runs probot in the repository, with no other settings than these. */
function probot(command: string[], settings: Record<string, string>, [program = '', ...words] = installed) {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, NODE_ENV: 'test', ...settings }
  const child = spawn(program, [...words, ...command], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running = child
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { child, printed: () => text }
}

/** Receives one event; one that hangs is killed, and its code is null. */
async function receive(
  event: string,
  payload: string,
  settings: Record<string, string> = { DATABASE_URL: database.url },
  program = installed,
) {
  const path = join(directory, 'payload.json')
  await writeFile(path, payload)
  const key = join(directory, 'key.pem')
  const { child, printed } = probot(['receive', '-e', event, '-p', path, '-a', '1', '-P', key, app], settings, program)
  const timer = setTimeout(() => kill(child), 30_000)
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  return { code: code as number | null, printed: printed() }
}

describe('npx probot receive', () => {
  it('archives the work of a merged pull request in the database, and ends, as its documentation says', async () => {
    const npx = ['npx', '--no-install', 'probot']
    const { code, printed } = await receive('pull_request', merge(), { DATABASE_URL: database.url }, npx)
    expect(printed).toContain('handled')
    expect(printed).not.toContain('secret-plan')
    expect(code).toBe(0)
    expect(await see()).toMatchObject({ status: 'archived', archived_reason: 'merged' })
  })

  it('ends where the App does nothing on the event', async () => {
    const { code, printed } = await receive('star', JSON.stringify({ action: 'created', secret: 'secret-plan' }))
    expect({ code, printed }).toEqual({ code: 0, printed: expect.not.stringContaining('secret-plan') })
    expect(await see()).toMatchObject({ status: 'active' })
  })

  it('fails on a payload of another shape than GitHub’s, and prints none of it', async () => {
    const { code, printed } = await receive('delete', JSON.stringify({ ref: 'secret-plan', ref_type: 7 }))
    expect(printed).toContain('is not what GitHub sends')
    expect(printed).not.toContain('secret-plan')
    expect(code).toBe(1)
  })

  it('fails where the database fails, and prints nothing of the payload', async () => {
    const client = await connect(database.url)
    await client.query('alter table activities rename to elsewhere')
    const { code, printed } = await receive('pull_request', merge())
    await client.query('alter table elsewhere rename to activities')
    await client.end()
    expect(printed).toContain('The delivery could not be handled')
    expect(printed).not.toContain('secret-plan')
    expect(code).toBe(1)
    expect(await see()).toMatchObject({ status: 'active' })
  })

  it('says that it needs a DATABASE_URL', async () => {
    const { code, printed } = await receive('pull_request', merge(), {})
    expect(printed).toContain('DATABASE_URL must be set')
    expect(code).toBe(1)
  })
})

describe('npx probot run', () => {
  it('takes deliveries over HTTP, one after the other', async () => {
    const port = await freePort()
    const github = { APP_ID: '1', PRIVATE_KEY_PATH: join(directory, 'key.pem'), WEBHOOK_SECRET: secret }
    const settings = { DATABASE_URL: database.url, PORT: String(port), HOST: '127.0.0.1', ...github }
    const { printed } = probot(['run', app], settings)
    await expect.poll(printed, { timeout: 30_000 }).toContain('Listening on')
    const send = (event: string, raw: string, guid: string) => {
      const signed = { 'x-github-event': event, 'x-github-delivery': guid, 'x-hub-signature-256': sign(raw) }
      const headers = { 'content-type': 'application/json', ...signed }
      return fetch(`http://127.0.0.1:${port}/api/github/webhooks`, { method: 'POST', body: raw, headers })
    }
    expect((await send('star', JSON.stringify({ action: 'created' }), 'run-1')).status).toBe(200)
    expect((await send('pull_request', merge(), 'run-2')).status).toBe(200)
    expect(await see()).toMatchObject({ status: 'archived', archived_reason: 'merged' })
    expect((await send('pull_request', merge(), 'run-2')).status).toBe(200)
    await expect.poll(printed).toContain('duplicate')
    expect(printed()).not.toContain('secret-plan')
  })
})
