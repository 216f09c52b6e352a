import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { call } from '../../support/client.ts'
import { createTestDatabase } from '../../support/database.ts'
import { deliver, secret } from '../../support/deliveries.ts'
import { type Github, startGithub } from '../../support/github/start.ts'
import { type Program, startProgram } from '../../support/program.ts'
import { connect } from '../../support/query.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let client: pg.Client
/** Holds a lock: what goes on at the same time shows outside of its transaction alone. */
let holder: pg.Client
let github: Github
let directory: string
let program: Program | undefined

beforeEach(async () => {
  database = await createTestDatabase()
  client = await connect(database.url)
  holder = await connect(database.url)
  github = await startGithub()
  directory = await mkdtemp(join(tmpdir(), 'headsup-killed-'))
})
afterEach(async () => {
  program?.child.kill('SIGKILL')
  await Promise.all([client.end(), holder.end()])
  await database.drop()
  await github.stop()
  await rm(directory, { recursive: true, force: true })
})

const Shown = z.object({ id: z.string(), status: z.string(), archived_reason: z.string().nullable() })

async function start(): Promise<Program> {
  const settings = { HOST: '127.0.0.1', WEBHOOK_SECRET: secret, GITHUB_API_URL: github.url }
  program = await startProgram({ DATABASE_URL: database.url, ...settings }, directory)
  return program
}

async function count(query: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`select count(*)::int as count from ${query}`)
  return rows[0]?.count ?? 0
}

/** Whether a statement of the program waits for a lock that the test holds. */
const isWaiting = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%update activities%'`

it('a service killed during a delivery changes nothing, and the redelivery is handled once', async () => {
  const { owner, name, id: repositoryId, writer } = github.addRepository('killed')
  const activities = `/api/v1/repos/${owner}/${name}/activity`
  const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: 'feat' }
  const repository = { id: Number(repositoryId), name, full_name: `${owner}/${name}`, owner: { login: owner } }
  const deletion = { ref: 'feat', ref_type: 'branch', repository }
  const guid = randomUUID()
  let running = await start()
  const record = async () => {
    const response = await call(running.url + activities, { method: 'POST', token: writer, body: work })
    return z.object({ activity: Shown }).parse(response.body).activity.id
  }
  const read = async (id: string) =>
    Shown.parse((await call(`${running.url}${activities}/${id}`, { token: writer })).body)

  const first = await record()
  const second = await record()
  await holder.query('begin')
  await holder.query('select 1 from activities where id = $1 for update', [second])
  const cutOff = deliver(running, 'delete', deletion, { guid }).then(
    () => 'answered',
    () => 'cut off',
  )
  await expect.poll(() => count(isWaiting)).toBe(1)
  await running.end('SIGKILL')
  expect(await cutOff).toBe('cut off')
  await holder.query('commit')
  await expect.poll(() => count(isWaiting)).toBe(0)
  expect(await count('webhook_deliveries')).toBe(0)

  running = await start()
  expect(await read(first)).toMatchObject({ status: 'active' })
  expect(await deliver(running, 'delete', deletion, { guid })).toMatchObject({ body: { outcome: 'handled' } })
  for (const id of [first, second])
    expect(await read(id)).toMatchObject({ status: 'archived', archived_reason: 'branch_deleted' })
  const anew = await record()
  expect(await deliver(running, 'delete', deletion, { guid })).toMatchObject({ body: { outcome: 'duplicate' } })
  expect(await read(anew)).toMatchObject({ status: 'active' })
  expect(await running.end()).toBe(0)
})
