import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Github, startGithub } from '../support/github/start.ts'
import { endAtStart, type Program, runProgram, startProgram } from '../support/program.ts'

let github: Github
let directory: string
/** A directory in which the program was started once. */
let prepared: string
const running: Program[] = []

beforeAll(async () => {
  github = await startGithub()
  prepared = await newDirectory()
  const program = await startProgram({ GITHUB_API_URL: github.url }, prepared)
  await program.end()
})
afterAll(async () => {
  await github.stop()
  await rm(prepared, { recursive: true, force: true })
})
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

/** Starts on a copy of a data directory, as creating one takes longer than the rest of a start. */
async function startPrepared(settings: Record<string, string> = {}): Promise<Program> {
  await promisify(execFile)('cp', ['-a', join(prepared, '.headsup'), directory])
  return await start(settings)
}

async function start(settings: Record<string, string> = {}): Promise<Program> {
  const program = await startProgram({ GITHUB_API_URL: github.url, ...settings }, directory)
  running.push(program)
  return program
}

function repository() {
  const made = github.addRepository(`e2e-${Math.random().toString(36).slice(2)}`)
  return { ...made, path: `/api/v1/repos/${made.owner}/${made.name}` }
}

const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', scope: { paths: ['src/auth/**'] } }

async function create(program: Program, { path, writer }: { path: string; writer: string }, body: object = work) {
  const answer = await call(`${program.url}${path}/activity`, { method: 'POST', token: writer, body })
  expect(answer.status).toBe(201)
  return answer.body as { activity: { id: string }; overlap: { related_activity_ids: string[] } }
}

describe('the built program', () => {
  it('does the main job on its own PostgreSQL: work recorded, a collision told, a notable read, work archived', async () => {
    const program = await start()
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
  })

  it('prints a curl that works when pasted, for the repository of the working directory', async () => {
    const { owner, name, writer } = repository()
    execFileSync('git', ['init', '-q'], { cwd: directory })
    execFileSync('git', ['remote', 'add', 'origin', `git@github.com:${owner}/${name}.git`], { cwd: directory })
    const program = await startPrepared()
    const command = /^\s*(curl .*)$/m.exec(program.printed())?.[1] ?? ''
    expect(command).toContain(`${program.url}/api/v1/repos/${owner}/${name}/activity`)
    const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('$(gh auth token)', writer)])
    expect(JSON.parse(stdout)).toMatchObject({ items: [], next_cursor: null })
  })

  it('keeps every acknowledged write through kill -9, and recovers by itself', async () => {
    const target = repository()
    const first = await startPrepared()
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

  it('keeps its records from one start to the next', async () => {
    const target = repository()
    const first = await start()
    const { activity } = await create(first, target)
    expect(await first.end()).toBe(0)
    const second = await start()
    const answer = await call(`${second.url}${target.path}/activity/${activity.id}`, { token: target.writer })
    expect(answer.status).toBe(200)
  })

  it('starts its PostgreSQL again when that crashes', async () => {
    const target = repository()
    const program = await startPrepared()
    await create(program, target)
    const pid = Number((await readFile(join(directory, '.headsup/postgres/postmaster.pid'), 'utf8')).split('\n')[0])
    process.kill(pid, 'SIGKILL')
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

  it('refuses a second start on the same data directory while the first runs', async () => {
    await startPrepared()
    const second = await runProgram({ GITHUB_API_URL: github.url }, directory)
    expect(second.code).toBe(1)
    expect(second.printed).toMatch(/another Headsup is running on the data directory/)
  })

  it('says in one line that its port is in use', async () => {
    const { url } = await startPrepared()
    const settings = { PORT: new URL(url).port, HEADSUP_DATA_DIR: 'other' }
    const { code, printed } = await runProgram(settings, directory)
    expect(code).toBe(1)
    expect(printed).toMatch(/^Headsup can not start: 127\.0\.0\.1:\d+ is in use by another program\. Set PORT/m)
    expect(printed).not.toContain('    at ')
  })

  it('lets one of two starts win that race', async () => {
    const starts = await Promise.allSettled([start(), start(), start()])
    expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('finishes the request under way after SIGTERM, with Connection: close, and exits 0', async () => {
    const { path, writer } = repository()
    const program = await startPrepared()
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
    slow.write(body.slice(0, 10))
    await expect.poll(() => github.requests.length).toBeGreaterThan(0)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const ended = program.end()
    await expect.poll(() => program.printed()).toContain('"stopping"')
    slow.end(body.slice(10))
    expect(await answered).toEqual({ status: 201, connection: 'close' })
    expect(await ended).toBe(0)
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('stops at %s, and its PostgreSQL with it', async (signal) => {
    const program = await startPrepared()
    const file = join(directory, '.headsup/postgres/postmaster.pid')
    const pid = Number((await readFile(file, 'utf8')).split('\n')[0])
    expect(await program.end(signal)).toBe(0)
    expect(existsSync(file)).toBe(false)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('stops cleanly at a signal during its start, and leaves no PostgreSQL', async () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
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

  it('warns of an unknown HEADSUP_ variable, and reads .env without overriding the environment', async () => {
    await writeFile(
      join(directory, '.env'),
      'HEADSUP_ACTIVITY_TTL_MS=60000\nHEADSUP_NOTABLE_TTL_MS=60000\nHEADSUP_TYPO=1\n',
    )
    const program = await startPrepared({ HEADSUP_ACTIVITY_TTL_MS: '120000' })
    expect(program.printed()).toContain('HEADSUP_TYPO')
    const { path, reader } = repository()
    const answer = await call(`${program.url}${path}/settings`, { token: reader })
    expect(answer.body).toMatchObject({
      settings: { activity_ttl_ms: 120_000, notable_ttl_ms: 60_000 },
      sources: { activity_ttl_ms: 'environment', notable_ttl_ms: 'environment', areas: 'default' },
    })
  })

  it('refuses a database that belongs to another GitHub', async () => {
    const database = await createTestDatabase()
    const first = await start({ DATABASE_URL: database.url, HOST: '127.0.0.1' })
    await first.end()
    const other = { DATABASE_URL: database.url, GITHUB_SERVER_URL: 'https://github.example.com' }
    const { code, printed } = await runProgram(other, directory)
    expect(code).toBe(1)
    expect(printed).toContain('belongs to https://github.com')
    await database.drop()
  })

  it('logs JSON lines off a terminal, at the most talkative level without token or body', async () => {
    const program = await startPrepared()
    const target = repository()
    await create(program, target)
    await call(`${program.url}${target.path}/activity?branch=my-secret-branch`, { token: target.writer })
    await program.end()
    const lines = program
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    expect(requests[0]).toMatchObject({ method: 'POST', route: '/api/v1/repos/:owner/:repo/activity', status: 201 })
    for (const secret of [target.writer, 'Rework it.', 'my-secret-branch', target.name, 'postgresql://']) {
      expect(lines.join('\n')).not.toContain(secret)
    }
  })
})
