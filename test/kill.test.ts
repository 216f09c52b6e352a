import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEmbedded } from '../src/service/db/embedded.ts'
import { createLog } from '../src/service/log.ts'
import { addRepository } from './support/github-server/data.ts'
import { type GithubServer, startGithubServer } from './support/github-server.ts'
import { type ServiceProcess, startServiceProcess } from './support/process.ts'

let github: GithubServer
beforeAll(async () => {
  github = await startGithubServer()
  github.data.tokens.set('ghp_alice', 'alice')
})
afterAll(() => github.stop())

const headers = { authorization: 'Bearer ghp_alice' }
const writers = 4

/** The service on this database, and the path of a repository of its own. */
async function start(databaseUrl: string) {
  const { owner, name } = addRepository(github.data, { roles: { alice: 'write' } })
  const environment = { DATABASE_URL: databaseUrl, GITHUB_API_URL: github.url, HEADSUP_RATE_LIMIT: '0' }
  const instances = await Promise.all([startServiceProcess(environment), startServiceProcess(environment)])
  return {
    instances,
    at: `/api/v1/repos/${owner}/${name}`,
    async killAndRestart(index: 0 | 1) {
      const { child, ended } = instances[index]
      child.kill('SIGKILL')
      expect((await ended).signal).toBe('SIGKILL')
      instances[index] = await startServiceProcess(environment)
    },
    async stop() {
      for (const { child } of instances) child.kill('SIGTERM')
      for (const { ended } of instances) expect((await ended).code).toBe(0)
    },
  }
}

/** Writes records one after another until `isOver`, each again and again until it is acknowledged. */
function startWriting(instances: readonly ServiceProcess[], at: string) {
  const acknowledged = new Map<string, string>()
  const odd = new Set<number>()
  let isOver = false
  const write = async (writer: number) => {
    for (let record = 0; !isOver; record++) {
      const title = `${writer}-${record}`
      const scope = { areas: [title], paths: [`src/${title}/**`, 'docs/**'] }
      const body = JSON.stringify({ title, summary: 'A record.', actor: 'Ana', scope })
      for (let tried = writer; !acknowledged.has(title); tried++) {
        const url = `${instances[tried % 2]?.url}${at}/activity`
        const options = { method: 'POST', headers: { ...headers, 'idempotency-key': title }, body }
        // Without an answer nobody knows whether it was written.
        const response = await fetch(url, options).catch(() => null)
        const answer = (await response?.json().catch(() => null)) as { activity: { id: string } } | null | undefined
        if (response?.status === 201 && answer) acknowledged.set(title, answer.activity.id)
        else {
          if (response && response.status !== 201 && response.status !== 503) odd.add(response.status)
          await sleep(20)
        }
      }
    }
  }
  const all = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  return {
    /** Waits until so many more are acknowledged. */
    async more(count: number) {
      const until = acknowledged.size + count
      while (acknowledged.size < until) await sleep(10)
    },
    async end() {
      isOver = true
      await all
      // Failures of the database are told as such.
      expect([...odd]).toEqual([])
      return acknowledged
    },
  }
}

/** Each write that was acknowledged is there once and whole, and nothing else is. */
async function expectThere(acknowledged: ReadonlyMap<string, string>, url: string, databaseUrl: string) {
  const found = new Map<string, string>()
  let cursor = ''
  do {
    const response = await fetch(`${url}/activity?limit=500${cursor}`, { headers })
    const page = (await response.json()) as { items: { id: string; title: string }[]; next_cursor: string | null }
    for (const { id, title } of page.items) {
      expect(found.has(title), title).toBe(false)
      found.set(title, id)
    }
    cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`
  } while (cursor !== '')
  expect([...found].sort()).toEqual([...acknowledged].sort())
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query('select count(*)::int as places from places group by activity_id')
  await client.end()
  expect([rows.length, new Set(rows.map(({ places }) => places)).size]).toEqual([acknowledged.size, 1])
}

it('§15 no acknowledged write is lost and none is doubled, whichever is killed: an instance, or PostgreSQL', {
  timeout: 180_000,
}, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'headsup-kill-'))
  await chmod(directory, 0o755)
  const log = createLog({ logLevel: 'silent', isOnTerminal: false })
  const postgres = await startEmbedded(directory, log, () => {})
  const service = await start(postgres.url)
  const writing = startWriting(service.instances, service.at)
  for (const index of [0, 1] as const) {
    await writing.more(20)
    await service.killAndRestart(index)
  }
  await writing.more(20)
  await killAndRestartPostgres(join(directory, 'postgres'))
  await writing.more(20)
  const acknowledged = await writing.end()
  await expectThere(acknowledged, service.instances[0].url + service.at, postgres.url)
  await service.stop()
  await postgres.stop()
  await rm(directory, { recursive: true, force: true })
})

/** Kills the server at once, and starts it as it was started before: same port, same user. */
async function killAndRestartPostgres(data: string): Promise<void> {
  const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const command = (await readFile(join(data, 'postmaster.opts'), 'utf8')).trim()
  const [program = '', ...args] = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain)
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
  const { uid, gid } = await stat(data)
  const user = process.getuid?.() === 0 ? { uid, gid } : {}
  // Its old processes hold the memory for a moment longer: then it refuses to start.
  for (let isUp = false; !isUp; ) {
    const server = spawn(program, args as string[], { ...user, cwd: '/', env: { LC_ALL: 'C' }, stdio: 'ignore' })
    isUp = await Promise.race([once(server, 'close').then(() => false), sleep(500, true)])
    server.unref()
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
