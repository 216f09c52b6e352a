import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../../src/service/db/database.ts'
import { loadActivities } from '../../../src/service/overlap/candidates/activity-cache.sql.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let other: TestService

beforeAll(async () => {
  service = await startTestService()
  other = await startTestService({ sharedWith: service })
})
afterAll(async () => {
  await other.stop()
  await service.stop()
})

const work = {
  title: 'Before',
  summary: 'S',
  actor: 'Ada',
  branch: 'ada/1',
  scope: { paths: ['src/a.ts', 'src/b.ts'] },
}

async function record(repository: TestRepository, fields: object = {}): Promise<string> {
  return (await repository.created('/activity', { ...work, ...fields })).activity.id
}

describe('a cached activity', () => {
  it('is described with the changes of another instance in the very next check', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const check = () => repository.check({ scope: { paths: ['src/**'] } })
    expect(await check()).toMatchObject({ severity: 'medium', reason: expect.stringContaining('Before') })
    for (const title of ['After', 'Later still']) {
      expect((await other.as(repository).patch(`/activity/${id}`, { title })).status).toBe(200)
      expect((await check()).reason).toContain(title)
    }
    await other.as(repository).patch(`/activity/${id}`, { scope: { paths: ['src/c.ts'] } })
    expect((await check()).reason).toContain('src/c.ts')
    await other.as(repository).patch(`/activity/${id}`, { blocking: true })
    expect((await check()).severity).toBe('high')
    await other.as(repository).patch(`/activity/${id}`, { status: 'merged', scope: { paths: ['src/d.ts'] } })
    expect(await check()).toMatchObject({
      related_activity_ids: [],
      reuse_opportunities: [{ activity_id: id, reason: expect.stringContaining('src/d.ts') }],
    })
  })

  it('is not used for another repository that has the same id', async () => {
    const [mine, theirs] = [service.newRepository(), service.newRepository()]
    const id = await record(mine)
    await mine.check({ scope: work.scope })
    const { rows } = await service.db.query<{ columns: string }>(
      `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
        where table_name = 'activities' and is_generated = 'NEVER' and column_name not in ('repository_id', 'title')`,
    )
    const client = await service.db.pool.connect()
    try {
      // In one transaction, so that both rows have the same version.
      await client.query('begin')
      await client.query(`update activities set title = 'Mine' where repository_id = $1`, [mine.id])
      await client.query(
        `insert into activities (repository_id, title, ${rows[0]?.columns})
         select $2, 'Theirs', ${rows[0]?.columns} from activities where repository_id = $1`,
        [mine.id, theirs.id],
      )
      await client.query(
        `insert into scope_keys (repository_id, kind, key, tail, activity_id) select $2, kind, key, tail, activity_id from scope_keys where repository_id = $1`,
        [mine.id, theirs.id],
      )
      await client.query('commit')
    } finally {
      client.release()
    }
    for (const [repository, title] of [
      [mine, 'Mine'],
      [theirs, 'Theirs'],
      [mine, 'Mine'],
    ] as const) {
      const overlap = await repository.check({ scope: work.scope })
      expect(overlap).toMatchObject({ related_activity_ids: [id], reason: expect.stringContaining(title) })
    }
  })

  it('is read from the database once for each of its versions', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const texts: string[] = []
    const db = watched(service.db, (text) => texts.push(text))
    const versions = await versionsOf(repository)
    for (let n = 0; n < 3; n++) expect(await loadActivities(db, repository.id, versions)).toMatchObject([{ id }])
    expect(texts).toHaveLength(1)
    await repository.patch(`/activity/${id}`, { title: 'After' })
    for (let n = 0; n < 3; n++) {
      expect(await loadActivities(db, repository.id, await versionsOf(repository))).toMatchObject([{ title: 'After' }])
    }
    expect(texts).toHaveLength(2)
  })

  it('is read again after a connection to the server was lost: the server may be an older one now', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const texts: string[] = []
    const db = watched(service.db, (text) => texts.push(text))
    const versions = await versionsOf(repository)
    for (let n = 0; n < 2; n++) expect(await loadActivities(db, repository.id, versions)).toMatchObject([{ id }])
    expect(texts).toHaveLength(1)
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1`
    const client = await service.db.pool.connect()
    await client.query(`set application_name = 'to be killed'`)
    client.release()
    await other.db.pool.query(kill, ['to be killed']).catch(() => {})
    await expect
      .poll(async () => {
        texts.length = 0
        await loadActivities(db, repository.id, versions)
        return texts.length
      })
      .toBe(1)
    texts.length = 0
    expect(await loadActivities(db, repository.id, versions)).toMatchObject([{ id }])
    expect(texts).toEqual([])
  })

  it('is returned as changed between the two statements, and left out if deleted', async () => {
    const repository = service.newRepository()
    const [changed, deleted] = [await record(repository), await record(repository, { branch: 'ada/2' })]
    const versions = await versionsOf(repository)
    await repository.patch(`/activity/${changed}`, { title: 'After' })
    await service.db.query('delete from activities where repository_id = $1 and id = $2', [repository.id, deleted])
    const db = watched(service.db, () => {})
    expect(await loadActivities(db, repository.id, versions)).toMatchObject([{ id: changed, title: 'After' }])
  })

  it('is neither a collision nor a reuse opportunity if it ends between the two statements', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    let ended = false
    const { pool } = service.db
    const query = pool.query.bind(pool)
    const endFirst = async (text: unknown) => {
      if (ended || typeof text !== 'string' || !text.includes('pr_url, ended_at, xmin')) return
      ended = true
      await query(`update activities set status = 'merged', ended_at = now() where repository_id = $1 and id = $2`, [
        repository.id,
        id,
      ])
    }
    service.db.pool.query = new Proxy(query, {
      apply: async (target, self, [text, values]) => {
        await endFirst(text)
        return Reflect.apply(target, self, [text, values])
      },
    })
    try {
      expect(await repository.check({ scope: work.scope })).toMatchObject({
        related_activity_ids: [],
        reuse_opportunities: [],
      })
      expect(ended).toBe(true)
    } finally {
      service.db.pool.query = query
    }
  })
})

async function versionsOf(repository: TestRepository) {
  const { rows } = await service.db.query<{ id: string; version: string }>(
    'select id, xmin::text as version from activities where repository_id = $1',
    [repository.id],
  )
  return rows
}

/** The same pool with a cache of its own. Calls `onStatement` for each statement. */
function watched(db: Database, onStatement: (text: string) => void): Database {
  return new Proxy(db, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name)
      return (text: string, values?: unknown[]) => {
        onStatement(text)
        return target.query(text, values)
      }
    },
  })
}

it('an activity is read again after a restore behind a pooler, which keeps the connections', async () => {
  const own = await startTestService()
  onTestFinished(() => own.stop())
  const repository = own.newRepository()
  await record(repository)
  const reason = async () => (await repository.check({ scope: work.scope })).reason
  const client = await own.db.pool.connect()
  try {
    // The restored row has the same version as the cached one, and other content.
    await client.query('begin')
    await client.query('create table restored (like activities including all)')
    await client.query('update activities set updated_at = updated_at')
    const { rows } = await client.query<{ columns: string }>(
      `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
        where table_name = 'activities' and is_generated = 'NEVER' and column_name <> 'title'`,
    )
    const [{ columns } = { columns: '' }] = rows
    await client.query(`insert into restored (title, ${columns}) select 'Restored', ${columns} from activities`)
    await client.query('commit')
    expect(await reason()).toContain('Before')
    await client.query('begin')
    await client.query('alter table activities rename to replaced')
    await client.query('alter table restored rename to activities')
    await client.query('commit')
  } finally {
    client.release()
  }
  expect(await reason()).toContain('Restored')
})
