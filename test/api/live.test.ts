import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/service/db/prisma.ts'
import { versionOf } from '../../src/service/live/version.ts'
import { newRepository } from '../support/github.ts'
import { observe } from '../support/observed.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'

let services: [TestService, TestService]
let database: ReturnType<typeof openDatabase>
beforeAll(async () => {
  const first = await startTestService()
  services = [first, await startTestService({ DATABASE_URL: first.databaseUrl })]
  database = openDatabase(first.databaseUrl)
})
afterAll(async () => {
  await database.prisma.$disconnect()
  await services[1].stop()
  await services[0].stop()
})

async function quietRepository() {
  const repository = newRepository()
  const observation = observe(services[0].databaseUrl, repository)
  await observation.read([])
  return { repository, observation, client: clientOf(services[0], { repository }) }
}

/** What a stream has sent so far, and a wait for the next version. */
async function follow(service: TestService, { repository, token }: Client) {
  const url = `${service.url}/api/v1/repos/${repository.owner}/${repository.name}/events`
  const request = get(url, { headers: { authorization: `Bearer ${token}` } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const versions: string[] = []
  response.setEncoding('utf8').on('data', (text: string) => {
    for (const [, version = ''] of text.matchAll(/event: version\ndata: (\w+)\n\n/g)) versions.push(version)
  })
  return {
    response,
    versions,
    async next(count: number): Promise<string | undefined> {
      while (versions.length < count) await once(response, 'data')
      return versions[count - 1]
    },
    close: () => request.destroy(),
  }
}

describe('§11 events', () => {
  it('tell the present version, and another one after a write on another instance', async () => {
    const { client } = await quietRepository()
    const stream = await follow(services[1], client)
    const first = await stream.next(1)
    await client.post('/activity', work)
    expect(await stream.next(2)).not.toBe(first)
    const second = await follow(services[1], client)
    expect(await second.next(1)).toBe(stream.versions.at(-1))
    stream.close()
    second.close()
  })

  it('are at most ten of a token, and a closed one makes room', async () => {
    const { client } = await quietRepository()
    const streams = await Promise.all(Array.from({ length: 10 }, () => follow(services[0], client)))
    const refused = await client.get('/events')
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    streams[0]?.close()
    const again = async (): Promise<number | undefined> => {
      const { response, close } = await follow(services[0], client)
      close()
      return response.statusCode === 429 ? again() : response.statusCode
    }
    expect(await again()).toBe(200)
    for (const { close } of streams) close()
  })

  it('end when the service stops', async () => {
    const service = await startTestService()
    const stream = await follow(service, clientOf(service))
    const ended = once(stream.response, 'end')
    await service.stop()
    await ended
  })
})

describe('§11 the version', () => {
  const version = (repository: { id: number }, now = new Date()) =>
    versionOf({ pool: database.pool, now }, BigInt(repository.id))

  it('moves with every write of a record and with readings, not with a heartbeat', async () => {
    const { repository, observation, client } = await quietRepository()
    const moves = async (write: () => Promise<unknown>) => {
      const before = await version(repository)
      await write()
      expect(await version(repository)).not.toBe(before)
    }
    let id = ''
    await moves(async () => {
      id = (await client.post('/activity', work)).body.activity.id
    })
    await moves(() => client.patch(`/activity/${id}`, { title: 'Another' }))
    await moves(() => client.patch(`/activity/${id}`, { changes: { files: [] } }))
    await moves(() => client.post(`/activity/${id}/archive`))
    const notable = { title: 'Note', summary: 'x', importance: 'low', category: 'process' }
    await moves(async () => {
      id = (await client.post('/notables', notable)).body.id
    })
    await moves(() => client.patch(`/notables/${id}`, { title: 'Another' }))
    await moves(() => observation.read([{ number: 1 }]))
    await moves(() => observation.read([{ number: 1, files: { 'a.ts': null } }]))
    await moves(() => observation.read([], { enabled: false }))
    id = (await client.post('/activity', work)).body.activity.id
    const before = await version(repository)
    await client.post(`/activity/${id}/heartbeat`)
    await client.patch(`/activity/${id}`, { heartbeat: true })
    expect(await version(repository)).toBe(before)
  })

  it('moves when something expires, or applies no longer', async () => {
    const { repository, client } = await quietRepository()
    const applies_until = new Date(Date.now() + 3_600_000).toISOString()
    await client.post('/activity', work)
    const notable = { title: 'Note', summary: 'x', importance: 'low', category: 'process', applies_until }
    await client.post('/notables', notable)
    const inHours = (hours: number) => version(repository, new Date(Date.now() + hours * 3_600_000))
    const versions = await Promise.all([0, 2, 30, 24 * 8].map(inHours))
    expect(new Set(versions).size).toBe(4)
  })
})
