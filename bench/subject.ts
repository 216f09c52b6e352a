import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../src/service/db/free-port.ts'

/** GitHub, as far as access asks it: everybody may write in every repository, and none has a pull request. */
export async function startGithub(): Promise<{ url: string; stop(): void }> {
  const ids = new Map<string, number>()
  const server = createServer((request, response) => {
    const [, , owner = '', name = '', rest] = (request.url ?? '').split('?')[0]?.split('/') ?? []
    const key = `${owner}/${name}`
    if (!ids.has(key)) ids.set(key, ids.size + 1)
    const permissions = { pull: true, push: true, admin: false }
    const repository = { id: ids.get(key), name, full_name: key, owner: { login: owner, id: 1 }, permissions }
    const whole = { ...repository, private: false, visibility: 'public', default_branch: 'main' }
    const isUser = request.url?.startsWith('/user')
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(isUser ? { login: 'alice', id: 7 } : rest === undefined ? whole : []))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => void server.close() }
}

/** A version of the service that is measured: its process and its embedded PostgreSQL. */
export interface Subject {
  name: string
  url: string
  databaseUrl: string
  request(method: string, path: string, body?: object): Promise<{ status: number; text: string }>
  /** Seconds of CPU so far. */
  cpu(): { service: number; postgres: number }
  stop(): Promise<void>
}

/** Starts `node dist/service/main.js` of a built checkout, with a new data directory or on the database of another subject. */
export async function startSubject(
  name: string,
  directory: string,
  githubUrl: string,
  sharedDatabaseUrl?: string,
): Promise<Subject> {
  const dataDir = mkdtempSync(join(tmpdir(), 'headsup-bench-'))
  // As root, PostgreSQL runs as another user, who must be able to reach its data.
  chmodSync(dataDir, 0o755)
  const port = await freePort()
  const env = {
    ...{
      PATH: process.env.PATH,
      HOME: dataDir,
      PORT: String(port),
      HEADSUP_DATA_DIR: dataDir,
      LOG_LEVEL: 'error' as const,
    },
    ...{
      GITHUB_API_URL: githubUrl,
      GITHUB_SERVER_URL: githubUrl,
      HEADSUP_RATE_LIMIT: '1000000',
      NODE_ENV: 'production',
    },
    ...(sharedDatabaseUrl && { DATABASE_URL: sharedDatabaseUrl, HOST: '127.0.0.1' }),
  }
  // In the data directory, where no `.env` is.
  const program = join(directory, 'dist/service/main.js')
  const child: ChildProcess = spawn(process.execPath, [program], {
    cwd: dataDir,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.once('exit', () => child.kill())
  const url = `http://127.0.0.1:${port}`
  await ready(url, child)
  const own = sharedDatabaseUrl ? null : ownPostgres(dataDir)
  return {
    ...{ name, url, databaseUrl: sharedDatabaseUrl ?? own?.url ?? '' },
    async request(method, path, body) {
      const response = await fetch(`${url}/api/v1/repos/${path}`, {
        method,
        headers: { authorization: 'Bearer ghp_bench', 'content-type': 'application/json', prefer: 'wait=0' },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, text: await response.text() }
    },
    cpu: () => ({ service: secondsOf(child.pid ?? 0, false), postgres: own ? secondsOfAll(own.pid) : 0 }),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** As root, PostgreSQL may have its data below `/var/lib/headsup`; a temporary directory is reachable, so it is here. */
function ownPostgres(dataDir: string): { pid: number; url: string } {
  const [pid, , , port] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  const password = readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim()
  return { pid: Number(pid), url: `postgresql://headsup:${password}@127.0.0.1:${port}/postgres?sslmode=disable` }
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (child.exitCode !== null) throw new Error('the service did not start')
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await sleep(100)
  }
  throw new Error('the service is not ready')
}

/** Linux counts in 1/100 s. The children that a process has waited for count with it where `withEnded` is set. */
function secondsOf(pid: number, withEnded: boolean): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, withEnded ? 15 : 13)
  return ticks.reduce((sum, one) => sum + Number(one), 0) / 100
}

function secondsOfAll(postmaster: number): number {
  const children = readdirSync(`/proc/${postmaster}/task`).flatMap((task) =>
    readFileSync(`/proc/${postmaster}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  )
  return children.reduce((sum, pid) => sum + secondsOfChild(Number(pid)), secondsOf(postmaster, true))
}

/** One that has just ended counts with its parent. */
function secondsOfChild(pid: number): number {
  return existsSync(`/proc/${pid}`) ? secondsOf(pid, false) : 0
}

export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
