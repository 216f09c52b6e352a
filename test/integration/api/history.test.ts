import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Activity } from '../../../src/core/schemas/activity.ts'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import type { HistoryEntry } from '../../../src/service/records/history/history-entry.ts'
import { insertPullRequest } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { bob, testViewer } from '../../support/viewer.ts'

const viewer = testViewer()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ viewerOf: viewer.viewerOf, retentionMs: 3_600_000 })
})
afterAll(() => service.stop())

const work = {
  title: 'Login',
  summary: 'Rework it.',
  actor: 'Alice',
  branch: 'feat/login',
  scope: { paths: ['src/a.ts'] },
}

interface HistoryPage {
  items: HistoryEntry[]
  next_cursor: string | null
}

async function history(repository: TestRepository, id: string, query = ''): Promise<HistoryEntry[]> {
  const { status, body } = await repository.get(
    `/${id.startsWith('act') ? 'activity' : 'notables'}/${id}/history${query}`,
  )
  expect(status).toBe(200)
  return (body as HistoryPage).items
}

const read = async (repository: TestRepository, id: string) =>
  (await repository.get(`/activity/${id}`)).body as Activity

async function started(repository = service.newRepository()) {
  const { activity } = await repository.created('/activity', work)
  service.clock.advance(1_000)
  return { repository, id: activity.id, created: activity.created_at }
}

const entriesOf = async (repository: TestRepository) => {
  const { rows } = await service.db.query<{ count: number }>(
    'select count(*)::int as count from record_history where repository_id = $1',
    [repository.id],
  )
  return rows[0]?.count
}

describe('the history of an activity', () => {
  it('says who created, changed and archived it, newest first, with the values before and after', async () => {
    const { repository, id, created } = await started()
    await viewer.as({ account: bob }, async () => {
      const scope = { areas: ['auth'], paths: ['src/b.ts'] }
      await repository.patch(`/activity/${id}`, { title: 'Sign-in', scope, blocking: true })
    })
    await viewer.as({ account: null }, () => repository.patch(`/activity/${id}`, { agent: 'codex' }))
    service.clock.advance(1_000)
    await repository.post(`/activity/${id}/archive`)
    const items = await history(repository, id)
    expect(items).toEqual([
      {
        ...{ at: expect.any(String), by: 'alice', change: 'archived' },
        fields: { status: ['active', 'archived'], archived_reason: [null, 'caller'] },
      },
      { at: expect.any(String), by: null, change: 'updated', fields: { agent: [null, 'codex'] } },
      {
        ...{ at: expect.any(String), by: 'bob', change: 'updated' },
        fields: {
          title: ['Login', 'Sign-in'],
          blocking: [false, true],
          scope: [
            { areas: [], paths: ['src/a.ts'] },
            { areas: ['auth'], paths: ['src/b.ts'] },
          ],
        },
      },
      { at: created, by: 'alice', change: 'created', fields: {} },
    ])
    const activity = await read(repository, id)
    expect(items[0]?.at).toBe(activity.archived_at)
    expect(JSON.stringify(activity)).not.toContain('changed_by')
  })

  it('has no entry for heartbeats, changed lines, and requests that change nothing', async () => {
    const { repository, id } = await started()
    await repository.post(`/activity/${id}/heartbeat`)
    await repository.patch(`/activity/${id}`, { heartbeat: true })
    await repository.patch(`/activity/${id}`, { changes: { files: [{ path: 'src/a.ts', lines: [[1, 2]] }] } })
    await repository.patch(`/activity/${id}`, { title: work.title, status: 'active' })
    await repository.patch(`/activity/${id}`, {})
    expect(await history(repository, id)).toHaveLength(1)
  })

  it('names only the caller of a change, not the one before, for changes by the service', async () => {
    const { repository, id } = await started()
    await repository.patch(`/activity/${id}`, { title: 'Sign-in', heartbeat: true })
    await service.db.query(`update activities set draft_pr = true, updated_at = updated_at where id = $1`, [id])
    expect((await history(repository, id)).map(({ by }) => by)).toEqual(['app', 'alice', 'alice'])
  })

  it('has an expiry from its instant on, by the service, once', async () => {
    const { repository, id } = await started()
    const { expires_at } = await read(repository, id)
    service.clock.advance(86_400_000)
    const expiry = {
      ...{ at: expires_at, by: 'app', change: 'archived' },
      fields: { status: ['active', 'archived'], archived_reason: [null, 'expired'] },
    }
    expect(await history(repository, id)).toEqual([expiry, expect.objectContaining({ change: 'created' })])
    expect(await history(repository, id, '?limit=1')).toEqual([expiry])
    await sweep(service.db, { now: service.clock.now(), retentionMs: 3_600_000 })
    expect(await history(repository, id)).toEqual([expiry, expect.objectContaining({ change: 'created' })])
  })

  it('comes in pages of 50, whose cursor belongs to this record', async () => {
    const { repository, id } = await started()
    for (let n = 0; n < 60; n++) await repository.patch(`/activity/${id}`, { title: `Title ${n}` })
    const path = `/activity/${id}/history`
    const page = async (query = '') => (await repository.get(`${path}${query}`)).body as HistoryPage
    const first = await page()
    expect(first.items).toHaveLength(50)
    expect(first.items[0]?.fields).toEqual({ title: ['Title 58', 'Title 59'] })
    const second = await page(`?cursor=${first.next_cursor}`)
    expect(second.items).toHaveLength(11)
    expect(second.next_cursor).toBeNull()
    const other = await started(repository)
    const foreign = await repository.get(`/activity/${other.id}/history?cursor=${first.next_cursor}`)
    expect(foreign).toMatchObject({ status: 400, body: { error: { code: 'invalid_cursor' } } })
  })

  it('is read by those who may read, is 404 as the record is, and is deleted with it', async () => {
    const { repository, id } = await started()
    const get = (token: string) => repository.get(`/activity/${id}/history`, { token })
    expect((await get(repository.reader)).status).toBe(200)
    expect((await get(repository.stranger)).status).toBe(404)
    expect((await service.newRepository().get(`/activity/${id}/history`)).status).toBe(404)
    await repository.post(`/activity/${id}/archive`)
    expect(await entriesOf(repository)).toBe(2)
    service.clock.advance(3_600_001)
    expect((await get(repository.reader)).status).toBe(404)
    await sweep(service.db, { now: service.clock.now(), retentionMs: 3_600_000 })
    expect(await entriesOf(repository)).toBe(0)
  })

  it('of observed work leaves out what readings say, and has what callers set', async () => {
    const repository = service.newRepository()
    const { id } = await insertPullRequest(service.db, repository, service.clock.now(), { pull: { number: 12 } })
    await service.db.query(`update activities set paths = array['src/z.ts'], summary = 'x' where id = $1`, [id])
    await repository.patch(`/activity/${id}`, { summary: 'Mine', risk: 'high' })
    const [latest] = await history(repository, id)
    expect(latest).toMatchObject({ by: 'alice', fields: { risk: ['low', 'high'] } })
    expect(JSON.stringify(await history(repository, id))).not.toContain('src/z.ts')
    await viewer.as({ mayRead: false }, async () => {
      expect((await repository.get(`/activity/${id}/history`)).status).toBe(404)
    })
  })

  it('keeps the newest 1,000 entries', async () => {
    const { repository, id } = await started()
    await service.db.query(
      `do $$ begin for n in 1..1200 loop update activities set title = 'Title ' || n where id = '${id}'; end loop; end $$`,
    )
    const [latest] = await history(repository, id, '?limit=1')
    expect(latest?.fields.title).toEqual(['Title 1199', 'Title 1200'])
    expect(await entriesOf(repository)).toBeLessThan(1_070)
  })
})

describe('the history of a notable', () => {
  it('says who raised, changed and superseded it', async () => {
    const repository = service.newRepository()
    const { id } = await repository.raised()
    service.clock.advance(1_000)
    const until = '2027-01-01T00:00:00.000Z'
    await viewer.as({ account: bob }, () => repository.patch(`/notables/${id}`, { applies_until: until }))
    await viewer.as({ account: bob }, () => repository.raised({ supersedes: [id] }))
    expect(await history(repository, id)).toEqual([
      expect.objectContaining({ by: 'bob', change: 'archived', fields: { status: ['active', 'archived'] } }),
      expect.objectContaining({ by: 'bob', change: 'updated', fields: { applies_until: [null, until] } }),
      expect.objectContaining({ by: 'alice', change: 'created', fields: {} }),
    ])
  })

  it('has an expiry from its instant on, and an archiving by its caller', async () => {
    const repository = service.newRepository()
    const { id, expires_at } = await repository.raised()
    service.clock.advance(Date.parse(expires_at) - service.clock.now().getTime() + 1)
    const expired = { at: expires_at, by: 'app', change: 'updated', fields: { status: ['active', 'expired'] } }
    expect((await history(repository, id))[0]).toEqual(expired)
    await repository.post(`/notables/${id}/archive`)
    expect((await history(repository, id))[0]).toMatchObject({ by: 'alice', change: 'archived' })
  })
})

it('the trigger of activities names the columns that its condition compares, and none that a heartbeat sets', async () => {
  const { rows } = await service.db.query<{ definition: string; named: string[] }>(
    `select pg_get_triggerdef(oid) as definition, array(select attname::text from pg_attribute where attrelid = tgrelid and attnum = any(tgattr)) as named
       from pg_trigger where tgname = 'activities_note_history_update'`,
  )
  const compared = rows[0]?.definition.matchAll(/\bnew\.(\w+)/g) ?? []
  const named = rows[0]?.named ?? []
  expect(new Set(named)).toEqual(new Set([...compared].map(([, column]) => column)))
  expect(named).toContain('title')
  expect(named).not.toContain('heartbeat_at')
  expect(named).not.toContain('expires_at')
})
