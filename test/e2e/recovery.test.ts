import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { createTestDatabase } from '../support/database.ts'
import { failure, type Reply } from '../support/github/route.ts'
import { type Github, type PrivateRepository, startGithub } from '../support/github/start.ts'
import { startBuiltService } from '../support/service-server.ts'

let github: Github
let repository: PrivateRepository
let database: Awaited<ReturnType<typeof createTestDatabase>>
type Program = Awaited<ReturnType<typeof startBuiltService>>

const running = new Set<Program>()
let isSlow = false
let asked = 0
let asking = 0
let mostAsking = 0

/** Where it is slow, what the job asks for fails after a while, so that every pass asks anew. */
function countAsking(_method: string, target: string): Promise<Reply> | null {
  if (!isSlow || !/\/repos\/acme\/shop\/(pulls|branches)/.test(target)) return null
  asked++
  mostAsking = Math.max(mostAsking, ++asking)
  return sleep(200).then(() => {
    asking--
    return failure(502, 'Unicorn!')
  })
}

beforeEach(async () => {
  isSlow = false
  asked = 0
  asking = 0
  mostAsking = 0
  github = await startGithub({ extraRoutes: countAsking })
  github.install('acme')
  repository = github.addRepository('shop')
  database = await createTestDatabase()
})
afterEach(async () => {
  for (const program of running) await end(program)
  await github.stop()
  await database.drop()
})

async function end(program: Program): Promise<void> {
  running.delete(program)
  await program.end()
}

/** The built service as the stand-in's App, which delivers to the one that was started last. */
async function start(settings: Record<string, string> = {}): Promise<Program> {
  const { id, privateKey, webhookSecret } = github.data.app
  const app = { APP_ID: String(id), PRIVATE_KEY: privateKey, WEBHOOK_SECRET: webhookSecret }
  const where = { DATABASE_URL: database.url, HOST: '127.0.0.1', GITHUB_API_URL: github.url }
  const program = await startBuiltService({ ...where, ...app, ...settings })
  running.add(program)
  github.data.app.hookUrl = `${program.url}/api/github/webhooks`
  return program
}

const pathOf = ({ url }: Program) => `${url}/api/v1/repos/${repository.owner}/${repository.name}/activity`

async function record(program: Program, branch = 'feat'): Promise<string> {
  const body = { title: 'Work', summary: 'It is.', actor: 'Alice', branch }
  const answer = await call(pathOf(program), { method: 'POST', token: repository.writer, body })
  expect(answer.status).toBe(201)
  return (answer.body as { activity: { id: string } }).activity.id
}

const patience = { timeout: 20_000 }

function becomes(program: Program, id: string, expected: object): Promise<void> {
  const see = async () => (await call(`${pathOf(program)}/${id}`, { token: repository.writer })).body
  return expect.poll(see, patience).toMatchObject(expected)
}

describe('a program that starts', () => {
  it('has the deliveries made again that failed while it was down', async () => {
    const first = await start()
    const id = await record(first)
    await end(first)
    await github.deleteBranch(repository, 'feat')
    const second = await start({ PORT: new URL(first.url).port })
    await becomes(second, id, { status: 'archived', archived_reason: 'branch_deleted' })
    const ofDeletion = () => github.data.deliveries.filter(({ event }) => event === 'delete')
    await expect.poll(ofDeletion, patience).toMatchObject([{ statusCode: 502 }, { statusCode: 200, redelivery: true }])
  })

  it('has each made again once, however many start at once', async () => {
    const first = await start()
    const branches = ['one', 'two', 'three']
    for (const branch of branches) await record(first, branch)
    await end(first)
    for (const branch of branches) await github.deleteBranch(repository, branch)
    const lost = github.data.deliveries.length
    // Of each the push that deletes, and the deletion.
    expect(lost).toBe(6)
    const programs = await Promise.all([start(), start()])
    for (const { printed } of programs) await expect.poll(printed, patience).toContain('"job":"redeliver"')
    await expect.poll(() => github.data.deliveries.length, patience).toBe(2 * lost)
    await Promise.all(programs.map(end))
    expect(github.requests.filter((target) => target.endsWith('/attempts'))).toHaveLength(lost)
  })
})

describe('a program that runs', () => {
  const everyMoment = { HEADSUP_RECONCILE_INTERVAL_MS: '50', HEADSUP_ENABLED: 'false' }

  it('finds a merge that no delivery was ever made of', async () => {
    const program = await start(everyMoment)
    const id = await record(program)
    github.loseNext(3, { recorded: false })
    const { number } = await github.openPullRequest(repository, { head: 'feat' })
    await github.mergePullRequest(repository, number)
    expect(github.data.deliveries).toEqual([])
    await becomes(program, id, { status: 'archived', archived_reason: 'merged' })
  })

  it('sends no request while another instance on the same database does', async () => {
    isSlow = true
    const programs = await Promise.all([start(everyMoment), start(everyMoment)])
    await record(programs[0])
    for (const { printed } of programs) await expect.poll(printed, patience).toContain('"job":"sync"')
    await expect.poll(() => asked, patience).toBeGreaterThan(5)
    expect(mostAsking).toBe(1)
  })
})
