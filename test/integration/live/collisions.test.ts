import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Activity } from '../../../src/core/schemas/activity.ts'
import type { ListedCollisions } from '../../../src/core/schemas/live.ts'
import { openStream, type TestStream } from '../../support/event-stream.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { bob, testViewer } from '../../support/viewer.ts'

let service: TestService
let second: TestService
const streams: TestStream[] = []
beforeAll(async () => {
  service = await startTestService({ live: { pollMs: 30 } })
  second = await startTestService({ sharedWith: service, live: { pollMs: 30 } })
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(async () => {
  await second.stop()
  await service.stop()
})

async function open(repository: TestRepository, query = '') {
  const stream = await openStream(`${service.url}/api/v1${repository.path}/events${query}`, repository.reader)
  streams.push(stream)
  await stream.data('snapshot')
  return stream
}

const lines = (first: number, last: number) => ({ files: [{ path: 'src/a.ts', lines: [[first, last]] }] })

async function start(repository: TestRepository, title: string, fields: object = {}) {
  service.clock.advance(1000)
  const body = { title, summary: 'x', actor: title, branch: title, ...fields }
  return (await repository.created('/activity', body)).activity
}

async function collisions(repository: TestRepository, query = ''): Promise<ListedCollisions> {
  const { status, body } = await repository.get(`/collisions${query}`)
  expect(status).toBe(200)
  return body as ListedCollisions
}

describe('GET /collisions', () => {
  it('lists each pair once, the newer first, with severity, file, lines and since when', async () => {
    const repository = service.newRepository()
    const a = await start(repository, 'a', { changes: lines(10, 20) })
    const b = await start(repository, 'b', { changes: lines(20, 30) })
    await start(repository, 'c', { changes: lines(900, 901) })
    expect(await collisions(repository)).toEqual({
      items: [
        {
          activity_ids: [b.id, a.id],
          severity: 'high',
          areas: [],
          example_path: 'src/a.ts',
          issues: [],
          lines: [[20, 30]],
          reason: `“a” is working on “a” on branch “a”, changing lines 10–20 of “src/a.ts”, touching “b”’s lines 20–30 (high severity).`,
          since: b.created_at,
        },
      ],
      truncated: false,
      observed: { pull_requests: 'off', as_of: null, unread: 0 },
    })
  })

  it('shows at once what the caller has just changed', async () => {
    const repository = service.newRepository()
    const a = await start(repository, 'a', { scope: { paths: ['src/**'] } })
    expect((await collisions(repository)).items).toEqual([])
    const b = await start(repository, 'b', { scope: { paths: ['src/b.ts'] } })
    expect((await collisions(repository)).items).toMatchObject([{ activity_ids: [b.id, a.id] }])
    service.clock.advance(1000)
    const { body } = await repository.patch(`/activity/${a.id}`, { scope: { paths: ['src/*.ts'] } })
    expect((await collisions(repository)).items).toMatchObject([{ since: (body as Activity).updated_at }])
    await repository.patch(`/activity/${a.id}`, { scope: { paths: ['docs/**'] } })
    expect((await collisions(repository)).items).toEqual([])
  })

  it.each([
    [
      'a file that both name',
      { scope: { paths: ['src/a.ts'] } },
      { scope: { paths: ['src/a.ts'] } },
      'naming the same file as “Ana”, “src/a.ts”',
    ],
    [
      'paths that intersect',
      { scope: { paths: ['src/**'] } },
      { scope: { paths: ['src/a.ts'] } },
      'touching the same files as “Ana”, such as “src/a.ts”',
    ],
    [
      'changed files in declared paths',
      { scope: { paths: ['src/*.ts'] } },
      { changes: lines(1, 2) },
      'touching the same files as “Ana”, such as “src/a.ts”',
    ],
    [
      'an area',
      { scope: { areas: ['login'] } },
      { scope: { areas: ['login'] } },
      'sharing the area “login” with “Ana”',
    ],
    [
      'a named file that the other changes',
      { changes: lines(1, 2) },
      { scope: { paths: ['src/a.ts'] } },
      'naming the same file as “Ben”, “src/a.ts”',
    ],
    ['changed lines', { changes: lines(1, 2) }, { changes: lines(2, 3) }, 'one line from “Ana”’s lines 2–3'],
  ])('names both sides of a pair by %s', async (_, bens, anas, words) => {
    const repository = service.newRepository()
    await start(repository, 'Ben', bens)
    await start(repository, 'Ana', anas)
    const { items } = await collisions(repository)
    expect(items.map(({ reason }) => reason)).toEqual([expect.stringContaining(words)])
    expect(items[0]?.reason).toMatch(/“Ana”.*“Ben”|“Ben”.*“Ana”/)
  })

  it('leaves out own and stacked work', async () => {
    const repository = service.newRepository()
    const scope = { paths: ['src/**'] }
    await start(repository, 'a', { scope, branch: 'one' })
    await start(repository, 'b', { scope, branch: 'one' })
    await start(repository, 'c', { scope, branch: 'two', base_branch: 'one' })
    expect((await collisions(repository)).items).toEqual([])
  })

  it('is narrowed to one activity, and 404 for an unknown one', async () => {
    const repository = service.newRepository()
    const [a, b, c] = [
      await start(repository, 'a', { scope: { paths: ['src/a/**', 'src/b/**'] } }),
      await start(repository, 'b', { scope: { paths: ['src/a/x.ts'] } }),
      await start(repository, 'c', { scope: { paths: ['src/b/x.ts'] } }),
    ]
    expect((await collisions(repository)).items).toHaveLength(2)
    expect((await collisions(repository, `?activity_id=${c.id}`)).items).toMatchObject([{ activity_ids: [c.id, a.id] }])
    expect((await collisions(repository, `?activity_id=${b.id}`)).items).toMatchObject([{ activity_ids: [b.id, a.id] }])
    expect((await repository.get('/collisions?activity_id=act_x')).status).toBe(404)
    expect((await repository.get('/collisions?x=1')).status).toBe(400)
    expect((await repository.get('/collisions', { token: repository.stranger })).status).toBe(404)
  })

  it('is narrowed before it is cut off at 500 pairs', async () => {
    const repository = service.newRepository()
    const [one, two] = [
      await start(repository, 'one', { scope: { areas: ['login'] } }),
      await start(repository, 'two', { scope: { areas: ['login'] } }),
    ]
    for (let n = 0; n < 33; n++) await start(repository, `w${n}`, { scope: { paths: ['src/a.ts'] } })
    const all = await collisions(repository)
    expect(all).toMatchObject({ items: { length: 500 }, truncated: true })
    expect(all.items.filter(({ severity }) => severity !== 'high')).toEqual([])
    const own = await collisions(repository, `?activity_id=${one.id}`)
    expect(own).toMatchObject({ items: [{ activity_ids: [two.id, one.id], severity: 'low' }], truncated: false })
  })

  it('says that it is truncated where not all live work was compared, also without any pair', async () => {
    const repository = service.newRepository()
    await service.fill(repository, 2_001)
    expect(await collisions(repository)).toMatchObject({ items: [], truncated: true })
    const stream = await openStream(`${service.url}/api/v1${repository.path}/events`, repository.reader)
    streams.push(stream)
    expect(await stream.data('snapshot')).toMatchObject([
      { collisions: [], collisions_complete: false, truncated: { activities: true, collisions: false } },
    ])
  })

  it('is narrowed to the work of the caller’s account, and 400 where that is not known', async () => {
    const viewer = testViewer()
    const instance = await startTestService({ sharedWith: service, viewerOf: viewer.viewerOf })
    const repository = instance.newRepository()
    const scope = (path: string) => ({ scope: { paths: [path] } })
    const mine = await start(repository, 'mine', scope('src/{a,b}.ts'))
    const [a, b] = await viewer.as({ account: bob }, async () => [
      await start(repository, 'a', scope('src/a.ts')),
      await start(repository, 'b', scope('src/{b,c}.ts')),
    ])
    await viewer.as({ account: bob }, () => start(repository, 'c', scope('src/c.ts')))
    expect((await collisions(repository)).items).toHaveLength(3)
    const own = (await collisions(repository, '?mine=true')).items.map(({ activity_ids }) => activity_ids)
    expect(own.sort()).toEqual([
      [a?.id, mine.id],
      [b?.id, mine.id],
    ])
    expect((await collisions(repository, `?mine=true&activity_id=${a?.id}`)).items).toEqual([])
    await viewer.as({ account: null }, async () => {
      const refused = await repository.get('/collisions?mine=true')
      expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ field: 'mine' }] } } })
      expect((await collisions(repository, '?mine=false')).items).toHaveLength(3)
    })
    await instance.stop()
  })

  it('says what the checks of the two say, on every instance', async () => {
    const repository = service.newRepository()
    const paths = [
      'src/**',
      'src/a/*.ts',
      'src/a/x.ts',
      'docs/**',
      '**/*.md',
      'docs/a.md',
      'src/{a,b}/y.ts',
      'lib/x.ts',
    ]
    const made = []
    for (const [n, path] of paths.entries()) made.push(await start(repository, `w${n}`, { scope: { paths: [path] } }))
    const expected = new Set<string>()
    for (const { id } of made) {
      const { related_activity_ids } = await repository.check({ activity_id: id })
      for (const other of related_activity_ids) expected.add([id, other].sort().join(' '))
    }
    const keys = ({ items }: ListedCollisions) =>
      items.map(({ activity_ids }) => activity_ids.toSorted().join(' ')).sort()
    expect(keys(await collisions(repository))).toEqual([...expected].sort())
    expect(await collisions(second.as(repository))).toEqual(await collisions(repository))
    expect(expected.size).toBeGreaterThan(5)
  })

  it('is answered also where too many repositories are watched for another stream', async () => {
    const small = await startTestService({ sharedWith: service, live: { pollMs: 30, mostRepositories: 1 } })
    const [watched, repository] = [small.newRepository(), small.newRepository()]
    const stream = await openStream(`${small.url}/api/v1${watched.path}/events`, watched.reader)
    await stream.data('snapshot')
    const a = await start(repository, 'a', { scope: { paths: ['src/a.ts'] } })
    const b = await start(repository, 'b', { scope: { paths: ['src/a.ts'] } })
    expect(await repository.get('/events')).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } })
    expect((await collisions(repository)).items).toMatchObject([{ activity_ids: [b.id, a.id] }])
    stream.close()
    await small.stop()
  })
})

describe('both sides of a collision', () => {
  it('are sent once when the later one begins, on any instance', async () => {
    const repository = service.newRepository()
    const a = await start(repository, 'a', { scope: { paths: ['src/a.ts'] } })
    const earlier = await open(repository, `?activity_id=${a.id}`)
    const b = await start(second.as(repository), 'b', { scope: { paths: ['src/a.ts'] } })
    expect(await earlier.data('collision')).toMatchObject([{ activity_ids: [b.id, a.id], severity: 'high' }])
    service.clock.advance(1000)
    await second.as(repository).patch(`/activity/${b.id}`, { title: 'renamed' })
    await second.as(repository).post(`/activity/${b.id}/archive`)
    expect(await earlier.data('collision', 2)).toMatchObject([{}, { activity_ids: [b.id, a.id], gone: true }])
  })

  it('are sent when one of them changes its files later', async () => {
    const repository = service.newRepository()
    const a = await start(repository, 'a', { changes: lines(10, 20) })
    const b = await start(repository, 'b', { changes: lines(800, 801) })
    const stream = await open(repository)
    service.clock.advance(1000)
    await repository.patch(`/activity/${b.id}`, { changes: lines(15, 15) })
    expect(await stream.data('collision')).toMatchObject([{ activity_ids: [b.id, a.id], lines: [[15, 15]] }])
  })
})
