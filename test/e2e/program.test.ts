import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordedPid } from '../../src/service/db/embedded/orphan.ts'
import { call } from '../support/client.ts'
import { createTestDatabase } from '../support/database.ts'
import { openStream } from '../support/event-stream.ts'
import { type Github, startGithub } from '../support/github/start.ts'
import { endAtStart, main, type Program, runProgram, startProgram } from '../support/program.ts'
import { copyUsedDataDirectory } from '../support/used-data-directory.ts'

let github: Github
let directory: string
const running: Program[] = []

beforeAll(async () => {
  github = await startGithub()
})
afterAll(() => github.stop())
beforeEach(async () => {
  directory = await newDirectory()
})
afterEach(async () => {
  for (const program of running.splice(0)) {
    if (program.child.exitCode === null && program.child.signalCode === null) await program.end()
  }
  await rm(directory, { recursive: true, force: true })
})

/** Where the tests run as root, PostgreSQL runs as another user, who has to reach its data. */
async function newDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'headsup-e2e-'))
  await chmod(path, 0o755)
  return path
}

/** Starts on data of an earlier start, in the current test's directory. */
async function startAgain(settings: Record<string, string> = {}): Promise<Program> {
  await copyUsedDataDirectory(join(directory, '.headsup'))
  return await start(settings)
}

async function start(settings: Record<string, string> = {}, command?: string[]): Promise<Program> {
  const program = await startProgram({ GITHUB_API_URL: github.url, ...settings }, directory, command)
  running.push(program)
  return program
}

function repository() {
  const made = github.addRepository(`e2e-${Math.random().toString(36).slice(2)}`)
  return { ...made, path: `/api/v1/repos/${made.owner}/${made.name}` }
}

const postgresOf = (home: string) => join(home, '.headsup/postgres')

/** The process of the PostgreSQL of a program that runs in the directory. */
async function postgresPid(home: string): Promise<number> {
  return (await recordedPid(postgresOf(home))) ?? expect.fail('no PostgreSQL runs')
}

/** Expects that this process has ended, as PostgreSQL ends by itself. */
function expectNoPostgres(home: string, pid: number): void {
  expect(existsSync(join(postgresOf(home), 'postmaster.pid'))).toBe(false)
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
}

const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', scope: { paths: ['src/auth/**'] } }

async function create(program: Program, { path, writer }: { path: string; writer: string }, body: object = work) {
  const answer = await call(`${program.url}${path}/activity`, { method: 'POST', token: writer, body })
  expect(answer.status).toBe(201)
  return answer.body as { activity: { id: string }; overlap: { related_activity_ids: string[] } }
}

describe('the built program', () => {
  it('does the main job on its own PostgreSQL: work recorded, a collision reported, a notable read, work archived, and kept to the next start after SIGINT, which stops its PostgreSQL too', async () => {
    const program = await start({}, [process.execPath, main])
    const { path, writer, reader } = repository()
    const { activity } = await create(program, { path, writer })
    const notable = {
      title: 'Careful',
      summary: 'It moves.',
      importance: 'high',
      category: 'migration',
      scope: work.scope,
    }
    const raised = await call(`${program.url}${path}/notables`, { method: 'POST', token: writer, body: notable })
    const body = { branch: 'mine', scope: { paths: ['src/*/login.ts'] } }
    const check = await call(`${program.url}${path}/activity/check`, { method: 'POST', token: reader, body })
    expect(check).toMatchObject({
      status: 200,
      body: {
        severity: 'medium',
        related_activity_ids: [activity.id],
        related_notable_ids: [(raised.body as { id: string }).id],
      },
    })
    const archive = await call(`${program.url}${path}/activity/${activity.id}/archive`, {
      method: 'POST',
      token: writer,
    })
    expect(archive).toMatchObject({ status: 200, body: { status: 'archived' } })
    const pid = await postgresPid(directory)
    expect(await program.end('SIGINT')).toBe(0)
    expectNoPostgres(directory, pid)
    const { url } = await start()
    const kept = await call(`${url}${path}/activity/${activity.id}`, { token: reader })
    expect(kept).toMatchObject({ status: 200, body: { status: 'archived' } })
  })

  it('keeps every acknowledged write through kill -9, and recovers by itself', async () => {
    const target = repository()
    const first = await startAgain()
    const made: string[] = []
    const load = (async () => {
      for (;;) made.push((await create(first, target)).activity.id)
    })().catch(() => {})
    while (made.length < 20) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await first.end('SIGKILL')).toBe('SIGKILL')
    await load
    const second = await start()
    for (const id of made) {
      const answer = await call(`${second.url}${target.path}/activity/${id}`, { token: target.writer })
      expect(answer.status).toBe(200)
    }
  })

  it('stops cleanly at a signal during its start, and leaves no PostgreSQL', async () => {
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
      await copyUsedDataDirectory(join(directory, signal))
      const file = join(directory, signal, 'postgres/postmaster.pid')
      const settings = { GITHUB_API_URL: github.url, HEADSUP_DATA_DIR: signal }
      const ended = await endAtStart(settings, directory, { signal, when: () => existsSync(file) })
      expect(ended.printed).not.toContain('Headsup is listening')
      expect(ended).toMatchObject({ code: 0, by: null })
      expect(existsSync(file)).toBe(false)
    }
  })

  it('stops at a bad environment with a line per variable, and none of the values', async () => {
    const bad = {
      PORT: 'http',
      GITHUB_API_URL: 'ftp://secret',
      HEADSUP_RETENTION_MS: '-1',
      APP_ID: '7',
      HEADSUP_AREAS: '{',
    }
    const { code, printed } = await runProgram(bad, directory)
    expect(code).toBe(1)
    for (const name of ['PORT', 'GITHUB_API_URL', 'HEADSUP_RETENTION_MS', 'WEBHOOK_SECRET', 'HEADSUP_AREAS']) {
      expect(printed.split('\n').filter((line) => line.trim().startsWith(`${name}:`))).toHaveLength(1)
    }
    expect(printed).not.toContain('secret')
  })
})

describe('the built program on its own PostgreSQL', () => {
  let home: string
  let program: Program
  beforeAll(async () => {
    home = await newDirectory()
    await copyUsedDataDirectory(join(home, '.headsup'))
    program = await startProgram({ GITHUB_API_URL: github.url }, home)
  })
  afterAll(async () => {
    program.child.kill('SIGKILL')
    await rm(home, { recursive: true, force: true })
  })

  it('refuses a second start on the same data directory while the first runs', async () => {
    const second = await runProgram({ GITHUB_API_URL: github.url }, home)
    expect(second.code).toBe(1)
    expect(second.printed).toMatch(/another Headsup is running on the data directory/)
  })

  it('starts its PostgreSQL again when that crashes', async () => {
    const target = repository()
    await create(program, target)
    process.kill(await postgresPid(home), 'SIGKILL')
    const statuses = new Set<number>()
    for (let tries = 0; tries < 200; tries++) {
      const { status } = await call(`${program.url}${target.path}/activity`, { token: target.writer })
      statuses.add(status)
      if (status === 200 && tries > 0) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect(statuses).not.toContain(500)
    await create(program, target)
  })

  // This one ends the program.
  it('after SIGTERM ends streams first, finishes the request under way, with Connection: close, and exits 0 without its PostgreSQL', async () => {
    const { path, writer, reader } = repository()
    const pid = await postgresPid(home)
    const body = JSON.stringify(work)
    const url = new URL(`${program.url}${path}/activity`)
    const headers = {
      authorization: `Bearer ${writer}`,
      'content-type': 'application/json',
      'content-length': body.length,
    }
    const slow = request(url, { method: 'POST', headers })
    const answered = new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
      slow.on('error', reject)
      slow.on('response', (response) => {
        response.resume()
        resolve({ status: response.statusCode, connection: response.headers.connection })
      })
    })
    const stream = await openStream(`${program.url}${path}/events`, reader)
    await stream.data('snapshot')
    const before = github.requests.length
    slow.write(body.slice(0, 10))
    await expect.poll(() => github.requests.length).toBeGreaterThan(before)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const ended = program.end()
    await expect.poll(() => program.printed()).toContain('"stopping"')
    await stream.ended
    expect(await stream.data('bye')).toMatchObject([{ code: 'draining' }])
    slow.end(body.slice(10))
    expect(await answered).toEqual({ status: 201, connection: 'close' })
    expect(await ended).toBe(0)
    expectNoPostgres(home, pid)
  })
})

describe('the built program on another PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  /** The directory is a clone of this repository. */
  let current: ReturnType<typeof repository>
  let program: Program
  beforeAll(async () => {
    current = repository()
    database = await createTestDatabase()
    const home = await newDirectory()
    execFileSync('git', ['init', '-q'], { cwd: home })
    execFileSync('git', ['remote', 'add', 'origin', `git@github.com:${current.owner}/${current.name}.git`], {
      cwd: home,
    })
    await writeFile(join(home, '.env'), 'HEADSUP_ACTIVITY_TTL_MS=60000\nHEADSUP_NOTABLE_TTL_MS=60000\nHEADSUP_TYPO=1\n')
    const settings = {
      ...{ DATABASE_URL: database.url, HOST: '127.0.0.1', GITHUB_API_URL: github.url },
      HEADSUP_ACTIVITY_TTL_MS: '120000',
    }
    program = await startProgram(settings, home)
    return () => rm(home, { recursive: true, force: true })
  })
  afterAll(async () => {
    await program.end()
    await database.drop()
  })

  it('prints a curl that works when pasted, for the repository of the working directory', async () => {
    const { owner, name, writer } = current
    const command = /^\s*(curl .*)$/m.exec(program.printed())?.[1] ?? ''
    expect(command).toContain(`${program.url}/api/v1/repos/${owner}/${name}/activity`)
    const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('$(gh auth token)', writer)])
    expect(JSON.parse(stdout)).toMatchObject({ items: [], next_cursor: null })
  })

  it('says in one line that its port is in use, before it needs a database', async () => {
    const nowhere = 'postgresql://127.0.0.1:9/none'
    const settings = { DATABASE_URL: nowhere, HOST: '127.0.0.1', PORT: new URL(program.url).port }
    const { code, printed } = await runProgram(settings, directory)
    expect(code).toBe(1)
    expect(printed).toMatch(/^Headsup can not start: 127\.0\.0\.1:\d+ is in use by another program\. Set PORT/m)
    expect(printed).not.toContain('    at ')
  })

  it('warns of an unknown HEADSUP_ variable, and reads .env without overriding the environment', async () => {
    expect(program.printed()).toContain('HEADSUP_TYPO')
    const { path, reader } = repository()
    const answer = await call(`${program.url}${path}/settings`, { token: reader })
    expect(answer.body).toMatchObject({
      settings: { activity_ttl_ms: 120_000, notable_ttl_ms: 60_000 },
      sources: { activity_ttl_ms: 'environment', notable_ttl_ms: 'environment', areas: 'default' },
    })
  })

  it('refuses a database that belongs to another GitHub', async () => {
    const other = { DATABASE_URL: database.url, GITHUB_SERVER_URL: 'https://github.example.com' }
    const { code, printed } = await runProgram(other, directory)
    expect(code).toBe(1)
    expect(printed).toContain('belongs to https://github.com')
  })

  it('logs JSON lines off a terminal, at the most talkative level without token or body', async () => {
    const target = repository()
    await create(program, target)
    await call(`${program.url}${target.path}/activity?branch=my-secret-branch`, { token: target.writer })
    const route = '/api/v1/repos/:owner/:repo/activity'
    const lines = () =>
      program
        .printed()
        .split('\n')
        .filter((line) => line.startsWith('{'))
    const requests = () =>
      lines()
        .map((line) => JSON.parse(line))
        .filter(({ msg }) => msg === 'request')
    await expect
      .poll(() => requests().slice(-2))
      .toMatchObject([
        { method: 'POST', route, status: 201 },
        { method: 'GET', route, status: 200 },
      ])
    for (const secret of [target.writer, 'Rework it.', 'my-secret-branch', target.name, 'postgresql://']) {
      expect(lines().join('\n')).not.toContain(secret)
    }
  })
})
