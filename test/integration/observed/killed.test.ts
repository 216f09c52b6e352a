import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestDatabase } from '../../support/database.ts'
import { faults } from '../../support/github/faults.ts'
import { type Github, startGithub } from '../../support/github/start.ts'
import { type Program, startProgram } from '../../support/program.ts'
import { connect } from '../../support/query.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let client: pg.Client
let github: Github
let directory: string
let program: Program | undefined

beforeEach(async () => {
  database = await createTestDatabase()
  client = await connect(database.url)
  github = await startGithub()
  directory = await mkdtemp(join(tmpdir(), 'headsup-observed-'))
})
afterEach(async () => {
  program?.child.kill('SIGKILL')
  await client.end()
  await database.drop()
  await github.stop()
  await rm(directory, { recursive: true, force: true })
})

async function start(): Promise<Program> {
  const { id, privateKey, webhookSecret } = github.data.app
  program = await startProgram(
    {
      ...{ DATABASE_URL: database.url, HOST: '127.0.0.1', GITHUB_API_URL: github.url },
      ...{ APP_ID: String(id), PRIVATE_KEY: privateKey, WEBHOOK_SECRET: webhookSecret },
    },
    directory,
  )
  github.data.app.hookUrl = `${program.url}/api/github/webhooks`
  return program
}

async function count(condition: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pull_requests where state = 'open' and ${condition}`,
  )
  return rows[0]?.count ?? 0
}

const poll = { timeout: 50_000, interval: 50 }
const read = 'files_head_sha = head_sha'

it('a service that is killed while it reads finishes after its next start, and reads pushes at once', async () => {
  github.install('acme')
  const repository = github.addRepository('killed')
  for (let n = 0; n < 30; n++) {
    await github.openPullRequest(repository, { head: `feat-${n}`, files: [{ path: `src/${n}.ts`, lines: [[1, 2]] }] })
  }
  github.fail(faults.slow(100), { path: /\/files/ })
  let running = await start()
  await expect.poll(() => count(read), poll).toBeGreaterThan(3)
  await running.end('SIGKILL')
  expect(await count('unread_since is not null')).toBeGreaterThan(0)

  // The leases of the killed process run out.
  await client.query(`update leases set expires_at = expires_at - interval '1 minute'`)
  github.heal()
  running = await start()
  await expect.poll(() => count(read), poll).toBe(30)

  await github.push(repository, 'feat-3', {}, { changed: [{ path: 'src/pushed.ts', lines: [[5, 5]] }] })
  await expect.poll(() => count(`${read} and push_reported_sha = head_sha`), poll).toBe(1)
  const { rows } = await client.query(`select paths from activities where 'src/pushed.ts' = any(paths)`)
  expect(rows).toHaveLength(1)
  expect(await running.end()).toBe(0)
})
