import { fileURLToPath } from 'node:url'
import { TypeID } from 'typeid-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { call } from '../support/client.ts'
import { minute } from '../support/clock.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Github, type PrivateRepository, startGithub } from '../support/github/start.ts'
import { type Program, startProgram } from '../support/program.ts'

const shiftedDate = fileURLToPath(new URL('../support/shifted-date.mjs', import.meta.url))

let github: Github
let database: Awaited<ReturnType<typeof createTestDatabase>>
let repository: PrivateRepository
/** Their clocks are right, ten minutes ahead, and ten minutes behind. */
let programs: Record<'right' | 'ahead' | 'behind', Program>

beforeAll(async () => {
  github = await startGithub()
  database = await createTestDatabase()
  repository = github.addRepository('clocks')
  const [right, ahead, behind] = await Promise.all([0, 10 * minute, -10 * minute].map(start))
  if (!right || !ahead || !behind) throw new Error('a program is missing')
  programs = { right, ahead, behind }
})
afterAll(async () => {
  await Promise.all(Object.values(programs).map((program) => program.end()))
  await github.stop()
  await database.drop()
})

/** Activities live shorter than the clocks differ. */
const ttl = 5 * minute

function start(shift: number): Promise<Program> {
  const own = { DATABASE_URL: database.url, HOST: '127.0.0.1', GITHUB_API_URL: github.url }
  const clock = { NODE_OPTIONS: `--import=${shiftedDate}`, DATE_SHIFT_MS: String(shift) }
  return startProgram(
    { ...own, ...clock, HEADSUP_ACTIVITY_TTL_MS: String(ttl), HEADSUP_SWEEP_INTERVAL_MS: '1000' },
    '.',
  )
}

const Activity = z.object({
  id: z.string(),
  status: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
})
const Created = z.object({
  activity: Activity,
  overlap: z.object({ related_activity_ids: z.array(z.string()) }),
})

async function send(program: Program, method: string, path: string, body?: object): Promise<unknown> {
  const url = `${program.url}/api/v1/repos/${repository.owner}/${repository.name}/activity${path}`
  const answer = await call(url, { method, token: repository.writer, ...(body ? { body } : {}) })
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

async function record(program: Program, path: string) {
  const body = { title: 'Work', summary: 'It is.', actor: 'Alice', scope: { paths: [path] } }
  return Created.parse(await send(program, 'POST', '', body))
}

const read = async (program: Program, id: string) => Activity.parse(await send(program, 'GET', `/${id}`))

/** The time between two timestamps, in ms. */
const between = (from: string, to: string) => Date.parse(to) - Date.parse(from)

describe('instances whose clocks differ by ten minutes from that of the database', () => {
  it.each(['ahead', 'behind'] as const)('%s: sees the live work of the others, and they see its own', async (which) => {
    const path = `src/${which}.ts`
    const first = (await record(programs.right, path)).activity
    const second = await record(programs[which], path)
    expect(second.overlap.related_activity_ids).toEqual([first.id])
    const third = await record(programs.right, path)
    expect(third.overlap.related_activity_ids.toSorted()).toEqual([first.id, second.activity.id].toSorted())
    for (const program of Object.values(programs)) {
      for (const { id } of [first, second.activity]) expect((await read(program, id)).status).toBe('active')
    }
  })

  it('give the same times as the others, within a few seconds', async () => {
    const { created_at } = (await record(programs.right, 'a')).activity
    for (const program of [programs.ahead, programs.behind]) {
      const { activity } = await record(program, 'b')
      expect(Math.abs(between(created_at, activity.created_at))).toBeLessThan(minute)
      expect(between(activity.created_at, activity.expires_at)).toBe(ttl)
      const beaten = z
        .object({ expires_at: z.string() })
        .parse(await send(program, 'POST', `/${activity.id}/heartbeat`))
      expect(Math.abs(between(activity.expires_at, beaten.expires_at))).toBeLessThan(minute)
    }
  })

  it('give ids of the same time, so that lists are in the order of creation', async () => {
    for (const program of [programs.ahead, programs.behind]) {
      const { id, created_at } = (await record(program, 'c')).activity
      const idTime = Number.parseInt(TypeID.fromString(id).toUUID().replace('-', '').slice(0, 12), 16)
      expect(Math.abs(Date.parse(created_at) - idTime)).toBeLessThan(minute)
    }
  })

  it('say in the log by how much their clock differs', async () => {
    const seconds = ({ printed }: Program) => /"ahead_seconds":(-?\d+)/.exec(printed())?.[1]
    expect(seconds(programs.right)).toBeUndefined()
    expect(Number(seconds(programs.ahead))).toBeGreaterThan(590)
    expect(Number(seconds(programs.behind))).toBeLessThan(-590)
  })
})
