import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openStream, type TestStream } from '../../support/event-stream.ts'
import { insertPullRequest } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let second: TestService
const streams: TestStream[] = []
beforeAll(async () => {
  service = await startTestService({ live: { pollMs: 30 }, permissionCacheMs: 200 })
  second = await startTestService({ sharedWith: service })
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(async () => {
  await second.stop()
  await service.stop()
})

async function open(
  repository: TestRepository,
  query = '',
  headers: Record<string, string> = {},
  token = repository.reader,
) {
  const stream = await openStream(`${service.url}/api/v1${repository.path}/events${query}`, token, headers)
  streams.push(stream)
  return stream
}

const Beginning = z.looseObject({ notables: z.array(z.unknown()), truncated: z.unknown() })
const work = (title: string) => ({ title, summary: 'x', actor: 'alice', branch: title, scope: { paths: ['src/**'] } })

describe('a stream of events', () => {
  it('begins with a snapshot of the live records', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', work('a'))
    const notable = await repository.raised()
    const stream = await open(repository)
    const [snapshot] = await stream.data('snapshot')
    expect(snapshot).toMatchObject({ activities: [activity], notables: [notable], collisions: [], access: 'read' })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    expect(stream.headers.get('x-accel-buffering')).toBe('no')
    expect(stream.headers.get('cache-control')).toBe('private, no-cache, no-transform')
  })

  it('says write to a caller who may write', async () => {
    const repository = service.newRepository()
    const stream = await open(repository, '', {}, repository.writer)
    expect(await stream.data('snapshot')).toMatchObject([{ access: 'write' }])
  })

  it('sends what another instance creates, changes and archives, once each', async () => {
    const repository = service.newRepository()
    const elsewhere = second.as(repository)
    const stream = await open(repository)
    await stream.data('snapshot')
    const { activity } = await elsewhere.created('/activity', work('a'))
    await stream.data('activity', 1)
    service.clock.advance(10)
    await elsewhere.patch(`/activity/${activity.id}`, { title: 'b' })
    await stream.data('activity', 2)
    service.clock.advance(10)
    await elsewhere.post(`/activity/${activity.id}/archive`)
    expect(await stream.data('activity', 3)).toMatchObject([{ title: 'a' }, { title: 'b' }, { status: 'archived' }])
    await sleep(150)
    expect(stream.events.length).toBe(4)
  })

  it('sends an activity that expires when its time is over, and not again when the sweeper writes it down', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', work('a'))
    const stream = await open(repository)
    await stream.data('snapshot')
    service.clock.advance(24 * 3_600_000)
    expect(await stream.data('activity')).toMatchObject([
      { id: activity.id, status: 'archived', archived_reason: 'expired' },
    ])
    await repository.post(`/activity/${activity.id}/archive`)
    await sleep(150)
    expect(stream.events.filter(({ event }) => event === 'activity').length).toBe(1)
  })

  it('sends moved heartbeats once a minute, together', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', work('a'))
    const stream = await open(repository)
    await stream.data('snapshot')
    service.clock.advance(30_000)
    await repository.post(`/activity/${activity.id}/heartbeat`)
    await sleep(150)
    expect(stream.events.length).toBe(1)
    service.clock.advance(30_000)
    expect(await stream.data('alive')).toMatchObject([{ items: [{ id: activity.id }] }])
  })

  it('continues with the missed events after a Last-Event-ID, and ends them with all collisions', async () => {
    const repository = service.newRepository()
    const first = await open(repository)
    await first.data('snapshot')
    const id = first.events[0]?.id ?? ''
    first.close()
    const { activity } = await repository.created('/activity', work('a'))
    const stream = await open(repository, '', { 'Last-Event-ID': id })
    expect(await stream.data('activity')).toMatchObject([{ id: activity.id }])
    expect(await stream.data('collisions')).toEqual([{ items: [], truncated: false, collisions_complete: true }])
    expect(stream.events.some(({ event }) => event === 'snapshot')).toBe(false)
  })

  it.each([
    ...['0000000000000000.5', 'nonsense', '-1', `${'0'.repeat(16)}.a-5-5`, `${'0'.repeat(16)}.a-100000000-1`],
    'x'.repeat(4_000),
  ])('begins with a snapshot after the Last-Event-ID %.40s', async (id) => {
    const stream = await open(service.newRepository(), '', { 'Last-Event-ID': id })
    expect(await stream.data('snapshot')).toHaveLength(1)
  })

  it('continues with an activity whose time is over although nobody has saved that', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', work('a'))
    const first = await open(repository)
    await first.data('snapshot')
    first.close()
    service.clock.advance(25 * 3_600_000)
    const stream = await open(repository, '', { 'Last-Event-ID': first.events[0]?.id ?? '' })
    expect(await stream.data('activity')).toMatchObject([{ id: activity.id, archived_reason: 'expired' }])
    expect(stream.events.some(({ event }) => event === 'snapshot')).toBe(false)
  })

  it('continues with the observed work that is no longer covered, as the work that covered it has another branch', async () => {
    const repository = service.newRepository()
    const { id: observed } = await insertPullRequest(service.db, repository, service.clock.now())
    const { activity } = await repository.created('/activity', work('sessions'))
    const first = await open(repository)
    await first.data('snapshot')
    first.close()
    await repository.patch(`/activity/${activity.id}`, { branch: 'other' })
    const stream = await open(repository, '', { 'Last-Event-ID': first.events[0]?.id ?? '' })
    expect(await stream.data('activity', 2)).toContainEqual(expect.objectContaining({ id: observed, covered_by: null }))
  })

  it('tells of a deleted live record by a snapshot, to clients that read and to those that come back', async () => {
    const repository = service.newRepository()
    const [{ id }, kept] = [await repository.raised(), await repository.raised()]
    const [first, reading] = [await open(repository), await open(repository)]
    for (const stream of [first, reading]) await stream.data('snapshot')
    first.close()
    await service.db.query('delete from notables where id = $1', [id])
    expect((await reading.data('snapshot', 2))[1]).toMatchObject({ notables: [kept] })
    const again = await open(repository, '', { 'Last-Event-ID': first.events[0]?.id ?? '' })
    expect(await again.data('snapshot')).toMatchObject([{ notables: [kept] }])
  })

  it('is narrowed to one activity', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', work('a'))
    const stream = await open(repository, `?activity_id=${activity.id}`)
    await stream.data('snapshot')
    await repository.created('/activity', work('b'))
    service.clock.advance(10)
    await repository.patch(`/activity/${activity.id}`, { title: 'c' })
    expect(await stream.data('activity')).toMatchObject([{ id: activity.id, title: 'c' }])
  })

  it('is 404 for an activity that is unknown, and for a repository that the caller may not see', async () => {
    const repository = service.newRepository()
    expect((await repository.get('/events?activity_id=act_0')).status).toBe(404)
    expect((await repository.get('/events', { token: repository.stranger })).status).toBe(404)
    expect((await repository.get('/events?x=1')).status).toBe(400)
  })

  it('says goodbye to a caller who loses access', async () => {
    const repository = service.newRepository()
    const stream = await open(repository)
    await stream.data('snapshot')
    service.github.revoke(repository.reader)
    await stream.ended
    expect(await stream.data('bye')).toMatchObject([{ code: 'invalid_token' }])
  })

  it('ends for a caller who may no longer see observed work, so that the next one shows none', async () => {
    let mayRead = true
    const viewer = {
      account: () => null,
      mayReadPullRequests: async () => mayRead,
      observationState: async () => ({ pull_requests: 'current' as const, as_of: null, unread: 0 }),
    }
    const options = { sharedWith: service, permissionCacheMs: 150, viewerOf: () => viewer }
    const instance = await startTestService(options)
    const repository = service.newRepository()
    const stream = await openStream(`${instance.url}/api/v1${repository.path}/events`, repository.reader)
    await stream.data('snapshot')
    mayRead = false
    await stream.ended
    expect(await stream.data('bye')).toMatchObject([{ code: 'unavailable' }])
    await instance.stop()
  })

  it('begins with a snapshot of 1 MiB at most, which says what it leaves out', async () => {
    const repository = service.newRepository()
    const paths = Array.from({ length: 100 }, (_, n) => `src/${'a'.repeat(900)}/${n}.ts`)
    await service.fillNotables(repository, 100, () => ({ areas: [], paths }))
    const { activity } = await repository.created('/activity', work('a'))
    const stream = await open(repository)
    const [snapshot] = await stream.data('snapshot')
    const { notables, truncated } = Beginning.parse(snapshot)
    expect(snapshot).toMatchObject({ activities: [activity], collisions: [], collisions_complete: true })
    expect(JSON.stringify(snapshot).length).toBeLessThan(1024 * 1024)
    expect(notables.length).toBeGreaterThan(30)
    expect(notables[0]).toMatchObject({ scope: { areas: [], paths: paths.slice(0, 20) }, scope_total: 100 })
    expect(truncated).toEqual({ activities: false, notables: true, collisions: false, scopes: true })
  })

  it('sends a changed record whole', async () => {
    const repository = service.newRepository()
    const stream = await open(repository)
    await stream.data('snapshot')
    const scope = { areas: [], paths: Array.from({ length: 30 }, (_, n) => `src/${n}.ts`) }
    const notable = await repository.raised({ scope })
    expect(await stream.data('notable')).toEqual([notable])
  })

  it('begins with a snapshot where more was missed than that holds', async () => {
    const repository = service.newRepository()
    const first = await open(repository)
    await first.data('snapshot')
    first.close()
    const paths = Array.from({ length: 100 }, (_, n) => `src/${'a'.repeat(900)}/${n}.ts`)
    await service.fillNotables(repository, 20, () => ({ areas: [], paths }))
    const stream = await open(repository, '', { 'Last-Event-ID': first.events[0]?.id ?? '' })
    expect(await stream.data('snapshot')).toMatchObject([{ truncated: { scopes: true } }])
  })

  it('begins with a snapshot when the database is no longer the same, as after a restore', async () => {
    const stream = await open(service.newRepository())
    await stream.data('snapshot')
    // Gives the log another file, as a restored one has.
    await service.db.query('truncate change_log')
    expect(await stream.data('snapshot', 2)).toHaveLength(2)
  })

  it('ends with the service, and says when to come back', async () => {
    const instance = await startTestService({ sharedWith: service })
    const repository = service.newRepository()
    const stream = await openStream(`${instance.url}/api/v1${repository.path}/events`, repository.reader)
    await stream.data('snapshot')
    await instance.stop()
    await stream.ended
    expect(await stream.data('bye')).toMatchObject([{ code: 'draining', retry_after: expect.any(Number) }])
  })

  it('allows ten streams of one token, and refuses the next', async () => {
    const repository = service.newRepository()
    for (let n = 0; n < 10; n++) await open(repository)
    const refused = await repository.get('/events', { token: repository.reader })
    expect(refused.status).toBe(429)
    expect(refused.body).toMatchObject({ error: { code: 'rate_limited' } })
  })
})
