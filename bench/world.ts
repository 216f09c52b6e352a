import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { escapeGlob } from '../src/core/scope/glob/escape.ts'
import { indexKeys } from '../src/core/scope/index/index-keys.ts'
import { readGlobs } from '../src/core/scope/parse-scope.ts'
import { startEmbeddedPostgres } from '../src/service/db/embedded/start.ts'
import { newId } from '../src/service/lib/ids.ts'
import { type Github, type PrivateRepository, startGithub } from '../test/support/github/start.ts'

export interface BenchWorld {
  url: string
  /** The process of the service. */
  pid: number
  bareUrl: string
  pool: pg.Pool
  newRepository(): PrivateRepository
  /** A new token that may read the repository. */
  newReader(repository: { id: bigint }): string
  /** Inserts live activities into the database, and returns their ids. */
  fill(repository: { id: bigint }, scopes: readonly string[][]): Promise<string[]>
  /** Inserts open pull requests with their observed activities and changed files. */
  fillObserved(repository: { id: bigint }, pulls: readonly (readonly ObservedFile[])[]): Promise<void>
  stop(): Promise<void>
}

/** A changed file of an open pull request. */
interface ObservedFile {
  path: string
  status: 'modified'
  lines: readonly (readonly [number, number])[]
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Starts a program in its own process, and waits until it prints its address. */
async function start(file: string, env: Record<string, string>): Promise<{ url: string; pid: number; stop(): void }> {
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  const url = await new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-5_000)
      const found = /listening on (\S+)/.exec(text)?.[1]
      if (found) resolve(found)
    })
  })
  return { url, pid: child.pid ?? 0, stop: () => void child.kill('SIGTERM') }
}

/** An embedded PostgreSQL with fsync, or with `BENCH_DATABASE_URL` a new database of that server. */
async function startPostgres(settings: readonly string[]): Promise<{ url: string; stop(): Promise<void> }> {
  const own = process.env.BENCH_DATABASE_URL
  if (own !== undefined) return newDatabase(own)
  const dataDir = mkdtempSync(join(tmpdir(), 'headsup-bench-'))
  // As root, PostgreSQL runs as another user, who must be able to reach its data directory.
  chmodSync(dataDir, 0o755)
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: quiet,
    settings: ['shared_buffers=512MB', ...settings],
  })
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function newDatabase(server: string): Promise<{ url: string; stop(): Promise<void> }> {
  const name = `headsup_bench_${randomBytes(4).toString('hex')}`
  const administrate = async (sql: string) => {
    const admin = new pg.Client(server)
    await admin.connect()
    await admin.query(sql)
    await admin.end()
  }
  await administrate(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, stop: () => administrate(`drop database ${name} with (force)`) }
}

/** Starts the built service and bare Express, each in its own process, on one PostgreSQL. */
export async function startWorld(
  settings: Record<string, string> = {},
  postgresSettings: readonly string[] = [],
): Promise<BenchWorld> {
  const postgres = await startPostgres(postgresSettings)
  const github: Github = await startGithub()
  const env = {
    DATABASE_URL: postgres.url,
    HOST: '127.0.0.1',
    GITHUB_API_URL: github.url,
    HEADSUP_PERMISSION_CACHE_MS: '3600000',
  }
  const service = await start('dist/service/main.js', { ...env, HEADSUP_ACTIVITY_TTL_MS: '2592000000', ...settings })
  const bare = await start('.bench/bench/bare.js', env)
  const pool = new pg.Pool({ connectionString: postgres.url })
  // PostgreSQL ends before the last idle connection has said goodbye.
  pool.on('error', () => {})
  let repositories = 0
  let readers = 0
  return {
    url: service.url,
    pid: service.pid,
    bareUrl: bare.url,
    pool,
    newRepository: () => github.addRepository(`bench-${++repositories}`),
    newReader(repository) {
      const token = github.addToken(`ghp_reader${++readers}`, `reader${readers}`)
      github.allow(repository, token)
      return token
    },
    fill: (repository, scopes) => fill(pool, repository.id, scopes),
    fillObserved: (repository, pulls) => fillObserved(pool, repository.id, pulls),
    async stop() {
      service.stop()
      bare.stop()
      await pool.end()
      await github.stop()
      await postgres.stop()
    },
  }
}

async function fill(pool: pg.Pool, repositoryId: bigint, scopes: readonly string[][]): Promise<string[]> {
  const made = scopes.map((paths) => ({ id: newId('act'), paths }))
  for (let from = 0; from < made.length; from += 2_000) {
    const part = made.slice(from, from + 2_000)
    await pool.query(
      `insert into activities (repository_id, id, title, summary, actor, branch, status, risk, areas, area_keys, paths, draft_pr, blocking, expires_at, created_at, updated_at)
       select $1, entry->>'id', 'Some work', 'What it is about, in a line or two.', 'Alice', 'feat/' || (entry->>'id'), 'active', 'low', '{}', '{}',
              array(select jsonb_array_elements_text(entry->'paths')), false, false, now() + interval '20 days', now(), now()
         from jsonb_array_elements($2) as entry`,
      [repositoryId, JSON.stringify(part)],
    )
    const entries = part.flatMap(({ id, paths }) => indexKeys(readGlobs(paths)).map((ends) => ({ id, ...ends })))
    await pool.query(
      `insert into scope_keys (repository_id, kind, key, tail, extent, activity_id)
       select $1, 'path', entry->>'key', entry->>'tail', (entry->>'extent')::smallint, entry->>'id' from jsonb_array_elements($2) as entry`,
      [repositoryId, JSON.stringify(entries)],
    )
  }
  return made.map(({ id }) => id)
}

async function fillObserved(pool: pg.Pool, repositoryId: bigint, pulls: readonly (readonly ObservedFile[])[]) {
  // The App reads the repository: a reading with the token of a caller would end what the stand-in does not have.
  await pool.query(
    'insert into observed_repositories (repository_id, by_app, completed_at, walked_at) values ($1, true, now(), now())',
    [repositoryId],
  )
  const ids: string[] = []
  for (let from = 0; from < pulls.length; from += 1_000)
    ids.push(...(await fill(pool, repositoryId, pulls.slice(from, from + 1_000).map(globsOf))))
  const made = pulls.map((files, n) => ({
    ...{ id: ids[n], number: n + 1, total: files.length },
    files: files.map((file) => ({ previous_path: null, ...file })),
  }))
  for (let from = 0; from < made.length; from += 500) {
    const part = JSON.stringify(made.slice(from, from + 500))
    await pool.query(
      `update activities set source = 'pull_request', pr_repository_id = repository_id, pr_number = (entry->>'number')::int, pr_url = 'https://github.com/acme/bench/pull/' || (entry->>'number'), base_branch = 'main',
              has_changes = true, opened_at = now(), heartbeat_at = now(), author_login = 'alice', author_id = 7
         from jsonb_array_elements($2) as entry where repository_id = $1 and id = entry->>'id'`,
      [repositoryId, part],
    )
    await pool.query(
      `insert into activity_changes (repository_id, activity_id, by, head_sha, files, files_total, read_at)
       select $1, entry->>'id', 'github', entry->>'id', entry->'files', (entry->>'total')::int, now() from jsonb_array_elements($2) as entry`,
      [repositoryId, part],
    )
    await pool.query(
      `insert into pull_requests (repository_id, number, state, title, draft, head_sha, head_ref, head_repository_id, base_ref, author_association,
              opened_at, pushed_at, github_updated_at, read_after, activity_id, files_head_sha)
       select $1, (entry->>'number')::int, 'open', 'Some work', false, entry->>'id', 'feat/' || (entry->>'id'), $1, 'main', 'MEMBER',
              now(), now(), now(), now(), entry->>'id', entry->>'id' from jsonb_array_elements($2) as entry`,
      [repositoryId, part],
    )
  }
  // The index of changed files decides nothing by itself.
  await pool.query('update scope_keys set extent = 0 where repository_id = $1 and activity_id = any($2)', [
    repositoryId,
    ids,
  ])
}

function globsOf(files: readonly ObservedFile[]): string[] {
  return files.map(({ path }) => escapeGlob(path))
}

export async function analyze(pool: pg.Pool): Promise<void> {
  await pool.query('vacuum analyze')
  // A checkpoint now, so that none is written during a measurement.
  await pool.query('checkpoint')
}
