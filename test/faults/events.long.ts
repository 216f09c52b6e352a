import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { ServerSentEvent } from '../../src/core/lib/parse-events.ts'
import { call } from '../support/client.ts'
import { openStream, type TestStream } from '../support/event-stream.ts'
import { poolerVersion, startPooler } from './stage/pooler.ts'
import { copyServer } from './stage/replica.ts'
import { startStage, startStageWith } from './stage/start-stage.ts'
import { startDatabaseProxy } from './stage/tcp-proxy.ts'

interface Repository {
  owner: string
  name: string
  writer: string
}

const version = poolerVersion()
const missing = version ? '' : ' (skipped: pgbouncer is not installed)'

const pathOf = ({ owner, name }: Repository) => `/api/v1/repos/${owner}/${name}`

async function create(url: string, repository: Repository, title: string, paths: string[]): Promise<string> {
  const body = { title, summary: 'S', actor: title, branch: title, scope: { paths } }
  const sent = { method: 'POST', token: repository.writer, body }
  const { status, body: answer } = await call(`${url}${pathOf(repository)}/activity`, sent)
  expect(status).toBe(201)
  return (answer as { activity: { id: string } }).activity.id
}

async function openEvents(url: string, repository: Repository): Promise<TestStream> {
  const stream = await openStream(`${url}${pathOf(repository)}/events`, repository.writer)
  onTestFinished(() => stream.close())
  await stream.data('snapshot')
  return stream
}

const dataOf = ({ data }: ServerSentEvent) => JSON.parse(data) as Record<string, unknown>

/** Waits until it holds, up to five minutes. */
async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds() && tries < 6_000; tries++) await sleep(50)
}

it.skipIf(!version)(
  `behind PgBouncer in transaction mode the streams of two instances have what 16 writers create, each once${missing}`,
  async () => {
    const { github, fleet } = await startStageWith(startPooler)
    const repository = github.addRepository('pooled-events')
    const streams = await Promise.all(fleet.urls.map((url) => openEvents(url, repository)))
    const made: string[] = []
    async function write(writer: number): Promise<void> {
      const url = fleet.urls[writer % 2] ?? ''
      for (let n = 0; n < 60; n++) made.push(await create(url, repository, `w${writer}-${n}`, []))
    }
    await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)))
    for (const { events } of streams) {
      const seen = () => events.filter(({ event }) => event === 'activity').map((event) => dataOf(event).id)
      await until(() => seen().length >= made.length)
      // Another poll would show a second delivery.
      await sleep(3_000)
      expect(seen().sort()).toEqual(made.toSorted())
    }
    console.log(version, { writers: 16, instances: 2, created: made.length, missed: 0, doubled: 0 })
  },
  300_000,
)

/** In each of six repositories. `FAULTS_PAIRS` sets less. */
const pairsEach = Math.ceil(Number(process.env.FAULTS_PAIRS ?? 3_000) / 6)

it('of 3,000 pairs on two instances each reaches the stream of the earlier one, once', async () => {
  const { github, fleet } = await startStage()
  const [first = '', second = ''] = fleet.urls
  // An instance watches at most 2,000 live records of a repository.
  const repositories = Array.from({ length: 6 }, (_, n) => github.addRepository(`pairs-${n}`))
  const delays: number[] = []
  const told = new Map<string, number>()
  for (const repository of repositories) {
    const stream = await openEvents(first, repository)
    /** When the later one was answered, by the key of the pair. */
    const answered = new Map<string, number>()
    const arrived = new Map<string, number>()
    let read = 0
    const take = () => {
      const now = performance.now()
      for (const event of stream.events.slice(read)) {
        if (event.event !== 'collision') continue
        const key = String(dataOf(event).activity_ids)
        arrived.set(key, now)
        told.set(key, (told.get(key) ?? 0) + 1)
      }
      read = stream.events.length
    }
    const timer = setInterval(take, 10)
    async function pair(n: number): Promise<void> {
      const earlier = await create(first, repository, `earlier-${n}`, [`src/${n}.ts`])
      const later = await create(second, repository, `later-${n}`, [`src/${n}.ts`])
      answered.set(`${later},${earlier}`, performance.now())
    }
    let next = 0
    const work = async () => {
      while (next < pairsEach) await pair(next++)
    }
    await Promise.all([work(), work()])
    await until(() => arrived.size >= pairsEach)
    await sleep(2_000)
    clearInterval(timer)
    const ends = stream.events.filter(({ event }) => event === 'bye')
    expect(ends).toEqual([])
    expect([...arrived.keys()].sort()).toEqual([...answered.keys()].sort())
    for (const [key, at] of arrived) delays.push(at - (answered.get(key) ?? 0))
    stream.close()
  }
  delays.sort((a, b) => a - b)
  const at = (part: number) => Math.round(delays[Math.floor((delays.length - 1) * part)] ?? 0)
  const late = delays.filter((ms) => ms > 3_000).length
  console.log({ pairs: delays.length, medianMs: at(0.5), p99Ms: at(0.99), mostMs: at(1), over3s: late })
  expect(told.size).toBe(pairsEach * repositories.length)
  expect([...told].filter(([, times]) => times !== 1)).toEqual([])
}, 3_600_000)

it('an older copy of the database under a living process leads to a snapshot of what it has', async () => {
  const { github, postgres, between: address, fleet } = await startStageWith(startDatabaseProxy)
  const repository = github.addRepository('restored')
  const [url = ''] = fleet.urls
  const kept = await create(url, repository, 'kept', ['src/a.ts'])
  const copy = await copyServer(postgres)
  onTestFinished(() => copy.remove())
  const ready = async () => (await call(`${url}/readyz`)).status === 200
  for (let tries = 0; !(await ready()) && tries < 300; tries++) await sleep(100)
  const stream = await openEvents(url, repository)
  const lost = await create(url, repository, 'lost', ['src/b.ts'])
  await stream.data('activity')
  const begun = performance.now()
  address.setTarget(copy.port)
  const [, snapshot] = (await stream.data('snapshot', 2)) as { activities: { id: string }[] }[]
  const ms = Math.round(performance.now() - begun)
  expect(snapshot?.activities.map(({ id }) => id)).toEqual([kept])
  expect(stream.events.map(({ event }) => event)).not.toContain('bye')
  const after = await create(url, repository, 'after', ['src/a.ts'])
  await stream.data('activity', 2)
  const [pair] = (await stream.data('collision')) as { activity_ids: string[] }[]
  expect(pair?.activity_ids).toEqual([after, kept])
  expect(JSON.stringify(stream.events.slice(-3))).not.toContain(lost)
  console.log({ msUntilSnapshot: ms })
}, 180_000)
