import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RetrievedActivity } from '../../../src/core/schemas/activity.ts'
import { refusal } from '../../support/client.ts'
import { minute } from '../../support/clock.ts'
import { changedFile } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { alice, testViewer } from '../../support/viewer.ts'

const viewer = testViewer()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ viewerOf: viewer.viewerOf })
})
afterAll(() => service.stop())

const work = { title: 'Login', summary: 'Rework it.', actor: 'Bob' }
const sha = 'a'.repeat(40)

async function retrieved(repository: TestRepository, id: string): Promise<RetrievedActivity> {
  return (await repository.get(`/activity/${id}`)).body as RetrievedActivity
}

const oneFile = (path: string) => ({ files: [{ path }] })

describe('changes of a create', () => {
  it('are saved, counted in the answer, and shown with their files', async () => {
    const repository = service.newRepository()
    const files = [
      { path: 'src/new.ts', previous_path: 'src/old.ts', status: 'renamed', lines: [[3, 9]] },
      { path: 'src/a.ts' },
    ]
    const { activity } = await repository.created('/activity', { ...work, changes: { head_sha: sha, files } })
    const read_at = service.clock.now().toISOString()
    const counts = { by: 'client', head_sha: sha, files_total: 2, files_compared: 2, read_at }
    expect(activity.changes).toEqual(counts)
    expect((await retrieved(repository, activity.id)).changes).toEqual({
      ...counts,
      files: [
        { ...changedFile('src/a.ts', { lines: null }), inserts: [] },
        { ...files[0], inserts: [] },
      ],
    })
  })

  it('say which ranges of two lines are insertions: all of them, where it is not said', async () => {
    const repository = service.newRepository()
    const lines = [
      [5, 6],
      [8, 8],
      [20, 21],
    ]
    const files = [
      { path: 'a', lines },
      { path: 'b', lines, inserts: [2] },
      { path: 'c', lines, inserts: [] },
    ]
    const { activity } = await repository.created('/activity', { ...work, changes: { files } })
    const shown = (await retrieved(repository, activity.id)).changes?.files.map(({ inserts }) => inserts)
    expect(shown).toEqual([[0, 2], [2], []])
  })

  it('are saved with the blobs of files, which no answer shows', async () => {
    const repository = service.newRepository()
    const blobs = ['a'.repeat(40), 'b'.repeat(64)]
    const files = [
      { path: 'a', blob: blobs[0] },
      { path: 'b', blob: blobs[1] },
      { path: 'c', status: 'removed', blob: null },
      { path: 'd', status: 'removed' },
      { path: 'e' },
    ]
    const answer = await repository.created('/activity', { ...work, changes: { files } })
    const saved = await service.db.query<{ files: { blob?: string | null }[] }>(
      'select files from activity_changes where repository_id = $1',
      [repository.id],
    )
    expect(saved.rows[0]?.files.map(({ blob }) => blob)).toEqual([...blobs, null, null, undefined])
    const shown = [answer, await retrieved(repository, answer.activity.id), await repository.page('/activity')]
    for (const blob of blobs) expect(JSON.stringify(shown)).not.toContain(blob)
  })

  it('are saved again where only a blob is another one', async () => {
    const repository = service.newRepository()
    const changes = (blob: string) => ({ changes: { files: [{ path: 'a', blob: blob.repeat(40) }] } })
    const { activity } = await repository.created('/activity', { ...work, ...changes('a') })
    const updated = async (blob: string) => {
      service.clock.advance(minute)
      const now = service.clock.now().toISOString()
      const { updated_at } = (await repository.patch(`/activity/${activity.id}`, changes(blob)))
        .body as RetrievedActivity
      return updated_at === now
    }
    expect(await updated('a')).toBe(false)
    expect(await updated('b')).toBe(true)
  })

  it('are read once for the answer and its check, as those of a PATCH are', async () => {
    const repository = service.newRepository()
    const statements = vi.spyOn(service.db.pool, 'query')
    const readings = () =>
      statements.mock.calls.filter((call) =>
        inspect(call, { breakLength: Infinity, maxStringLength: null }).includes('join activity_changes as changes'),
      ).length
    const { activity } = await repository.created('/activity', { ...work, branch: 'login', changes: oneFile('a.ts') })
    expect(readings()).toBe(1)
    await repository.patch(`/activity/${activity.id}?overlap=true`, { changes: oneFile('b.ts') })
    expect(readings()).toBe(2)
    statements.mockRestore()
  })

  it.each([{ changes: null }, { changes: { files: [] } }, {}])('are none for %j', async (body) => {
    const { activity } = await service.newRepository().created('/activity', { ...work, ...body })
    expect(activity).toMatchObject({ changes: null })
  })

  it('are part of the body that an Idempotency-Key identifies', async () => {
    const repository = service.newRepository()
    const sent = (path: string) => ({
      headers: { 'idempotency-key': 'one' },
      body: { ...work, changes: oneFile(path) },
    })
    const first = await repository.call('POST', '/activity', sent('a'))
    expect(first.status).toBe(201)
    expect((await repository.call('POST', '/activity', sent('a'))).body).toEqual(first.body)
    expect(refusal(await repository.call('POST', '/activity', sent('b'))).code).toBe('idempotency_key_reused')
    expect((await repository.page('/activity')).items).toMatchObject([{ changes: { files_total: 1 } }])
  })

  it.each([
    { what: 'a file without a path', changes: { files: [{}] }, fault: 'changes.files[0].path required' },
    { what: 'no files', changes: {}, fault: 'changes.files required' },
    {
      what: 'a file twice',
      changes: { files: [{ path: 'a' }, { path: 'a' }] },
      fault: 'changes.files[1].path duplicate',
    },
    { what: 'a path with ..', changes: oneFile('../a'), fault: 'changes.files[0].path invalid_value' },
    {
      what: 'lines backwards',
      changes: { files: [{ path: 'a', lines: [[5, 4]] }] },
      fault: 'changes.files[0].lines[0] invalid_value',
    },
    {
      what: 'an insertion that is no range of two lines',
      changes: {
        files: [
          {
            path: 'a',
            lines: [
              [5, 6],
              [8, 8],
            ],
            inserts: [0, 1],
          },
        ],
      },
      fault: 'changes.files[0].inserts[1] invalid_value',
    },
    {
      what: 'an insertion without lines',
      changes: { files: [{ path: 'a', inserts: [0] }] },
      fault: 'changes.files[0].inserts[0] invalid_value',
    },
    {
      what: 'an abbreviated blob',
      changes: { files: [{ path: 'a', blob: 'abc' }] },
      fault: 'changes.files[0].blob invalid_value',
    },
    {
      what: 'no blob for a file that is there',
      changes: { files: [{ path: 'a', blob: null }] },
      fault: 'changes.files[0].blob invalid_value',
    },
    {
      what: 'a blob for a removed file',
      changes: { files: [{ path: 'a', status: 'removed', blob: sha }] },
      fault: 'changes.files[0].blob invalid_value',
    },
    { what: 'an abbreviated SHA', changes: { head_sha: 'abc', files: [] }, fault: 'changes.head_sha invalid_value' },
    { what: 'an unknown field', changes: { files: [], by: 'github' }, fault: 'changes.by unknown_field' },
    {
      what: 'more than 300 files',
      changes: { files: Array.from({ length: 301 }, (_, n) => ({ path: `f${n}` })) },
      fault: 'changes.files too_many',
    },
  ])('are refused with $what', async ({ changes, fault }) => {
    const refused = refusal(await service.newRepository().post('/activity', { ...work, changes }))
    expect(refused).toMatchObject({ status: 400, code: 'validation_failed' })
    expect(refused.details).toContain(fault)
  })

  it('are saved with the account that sent them', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', work)
    expect(activity.author_login).toBe('alice')
    expect((await repository.page('/activity?mine=true')).items).toHaveLength(1)
    const unknown = await viewer.as({ account: null }, () => repository.created('/activity', work))
    expect(unknown.activity.author_login).toBeNull()
    await viewer.as({ account: { ...alice, id: 99n } }, async () => {
      expect((await repository.page('/activity?mine=true')).items).toEqual([])
    })
  })
})

describe('changes of a PATCH', () => {
  it('replace what the client said before', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', { ...work, changes: oneFile('a') })
    service.clock.advance(minute)
    const { status, body } = await repository.patch(`/activity/${activity.id}`, { changes: oneFile('b') })
    const now = service.clock.now().toISOString()
    expect(status).toBe(200)
    expect(body).toMatchObject({ updated_at: now, changes: { by: 'client', files_total: 1, read_at: now } })
    expect((await retrieved(repository, activity.id)).changes?.files).toMatchObject([{ path: 'b' }])
  })

  it.each([{ changes: null }, { changes: { files: [] } }])('forget it for %j', async (update) => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', { ...work, changes: oneFile('a') })
    expect((await repository.patch(`/activity/${activity.id}`, update)).body).toMatchObject({ changes: null })
    expect(await retrieved(repository, activity.id)).toMatchObject({ changes: null })
  })

  it('are not changed where the body does not contain them', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', { ...work, changes: oneFile('a') })
    const { body } = await repository.patch(`/activity/${activity.id}`, { title: 'Other', scope: { paths: ['b'] } })
    expect(body).toMatchObject({ title: 'Other', changes: activity.changes })
    const { rows } = await service.db.query<{ key: string }>(
      'select key from scope_keys where activity_id = $1 order by key',
      [activity.id],
    )
    expect(rows.map(({ key }) => key)).toEqual(['a/', 'b/'])
  })

  it('do not change updated_at where only the time differs', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', { ...work, changes: oneFile('a') })
    service.clock.advance(minute)
    const { body } = await repository.patch(`/activity/${activity.id}`, { changes: oneFile('a') })
    const read_at = service.clock.now().toISOString()
    expect(body).toMatchObject({ updated_at: activity.updated_at, changes: { read_at } })
  })

  it('are not saved where another field of it is refused', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', work)
    await repository.post(`/activity/${activity.id}/archive`)
    const refused = await repository.patch(`/activity/${activity.id}`, { status: 'active', changes: oneFile('a') })
    expect(refusal(refused).code).toBe('invalid_transition')
    expect(await retrieved(repository, activity.id)).toMatchObject({ changes: null })
  })
})

describe('a large body', () => {
  const ranges = Array.from({ length: 100 }, (_, n) => [2_000_000 + 10 * n, 2_000_000 + 10 * n + 5])
  const changesOf = (count: number) => ({
    files: Array.from({ length: count }, (_, n) => ({ path: `src/${n}.ts`, lines: ranges })),
  })
  const filler = (size: number) => 'x'.repeat(size)

  it('may have 1 MiB with changes, on a create, a PATCH and a check', async () => {
    const repository = service.newRepository()
    const changes = changesOf(300)
    expect(JSON.stringify(changes).length).toBeGreaterThan(500_000)
    const { activity } = await repository.created('/activity', { ...work, changes })
    expect(activity.changes?.files_total).toBe(300)
    expect((await repository.patch(`/activity/${activity.id}`, { changes })).status).toBe(200)
    expect((await repository.post('/activity/check', { changes })).status).toBe(200)
  })

  it('is refused over 1 MiB, also where it is compressed', async () => {
    const repository = service.newRepository()
    const body = JSON.stringify({ ...work, changes: { files: [{ path: filler(1_048_576) }] } })
    expect(refusal(await repository.call('POST', '/activity', { raw: body, headers: json })).code).toBe(
      'payload_too_large',
    )
    const zipped = { raw: new Uint8Array(gzipSync(body)), headers: { ...json, 'content-encoding': 'gzip' } }
    expect(refusal(await repository.call('POST', '/activity', zipped)).code).toBe('payload_too_large')
  })

  it.each([
    { what: 'without changes', body: { ...work, title: filler(262_144) } },
    { what: 'with changes that are null', body: { ...work, title: filler(262_144), changes: null } },
  ])('is refused over 256 KiB $what', async ({ body }) => {
    const repository = service.newRepository()
    expect(refusal(await repository.post('/activity', body)).code).toBe('payload_too_large')
    expect(refusal(await repository.post('/notables', { ...body, changes: { files: [] } })).code).toBe(
      'payload_too_large',
    )
  })

  it('is refused over 256 KiB where it is no JSON', async () => {
    const raw = `{"changes": ${filler(262_144)}`
    const refused = await service.newRepository().call('POST', '/activity', { raw, headers: json })
    expect(refusal(refused)).toEqual({ status: 413, code: 'payload_too_large' })
  })

  const json = { 'content-type': 'application/json' }
})
