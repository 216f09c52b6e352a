import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { insertPullRequest } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  // Values of any kind are written to one column at a time.
  const { rows } = await service.db.query<{ statement: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace`,
  )
  for (const { statement } of rows) await service.db.query(statement)
  await service.db.query('alter table activities disable trigger activities_note_changed_work')
})
afterAll(() => service.stop())

const rowsOf = async <Row extends z.ZodRawShape>(shape: Row, sql: string, values: unknown[] = []) =>
  z.array(z.object(shape)).parse((await service.db.query(sql, values)).rows)

/** The rows that the statement leaves in the log of the repository, each once. */
async function logged({ id }: Pick<TestRepository, 'id'>, sql: string): Promise<string[]> {
  const [end] = await rowsOf({ seq: z.bigint().nullable() }, 'select max(seq) as seq from change_log')
  await service.db.query(sql)
  const rows = await rowsOf(
    { row: z.string() },
    `select distinct kind || ' ' || record_id as row from change_log where repository_id = $1 and seq > $2 order by 1`,
    [id, end?.seq ?? 0],
  )
  return rows.map(({ row }) => row)
}

/** SQL: another value than the present one. */
const others: Record<string, (column: string) => string> = {
  bigint: (column) => `coalesce(${column}, 0) + 1`,
  integer: (column) => `coalesce(${column}, 0) + 1`,
  boolean: (column) => `not coalesce(${column}, false)`,
  text: (column) => `coalesce(${column}, '') || 'x'`,
  ARRAY: (column) => `${column} || ${column === 'issues' ? '7' : "'x'::text"}`,
  jsonb: () => `'[{"path": "other"}]'`,
  'timestamp with time zone': (column) => `coalesce(${column}, 'epoch') + interval '1 ms'`,
}

/** The columns of the table that leave no row if they alone change. */
async function silentColumns(repository: TestRepository, table: string, row: string, keys: string[]) {
  const columns = await rowsOf(
    { name: z.string(), type: z.string() },
    `select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by 1`,
    [table],
  )
  const silent: string[] = []
  for (const { name, type } of columns.filter((column) => !keys.includes(column.name))) {
    const other = others[type]?.(name)
    if (other === undefined) throw new Error(`${table}.${name} has a type that this test does not know: ${type}`)
    const rows = await logged(
      repository,
      `update ${table} set ${name} = ${other} where repository_id = ${repository.id}`,
    )
    if (!rows.includes(row)) silent.push(name)
  }
  return silent
}

const work = { title: 'a', summary: 'x', actor: 'alice', branch: 'sessions', scope: { paths: [] } }

describe('the change log', () => {
  let repository: TestRepository
  beforeEach(() => {
    repository = service.newRepository()
  })

  it('has a change of any column of an activity, but of a heartbeat and of what is for the service alone', async () => {
    const { activity } = await repository.created('/activity', work)
    expect(await silentColumns(repository, 'activities', `activity ${activity.id}`, ['repository_id', 'id'])).toEqual([
      'changed_by',
      'expires_at',
      'heartbeat_at',
      'pr_event_at',
      'seen_branch',
    ])
    const earlier = `update activities set expires_at = expires_at - interval '1 ms' where id = '${activity.id}'`
    expect(await logged(repository, earlier)).toEqual([`activity ${activity.id}`])
  })

  it('has a change of any column of a notable', async () => {
    const { id } = await repository.raised()
    expect(await silentColumns(repository, 'notables', `notable ${id}`, ['repository_id', 'id'])).toEqual([
      'changed_by',
    ])
  })

  it('has a change of what an activity changes', async () => {
    const { id } = await insertPullRequest(service.db, repository, new Date(), {
      files: [{ path: 'a.ts', previous_path: null, status: 'modified', lines: null }],
    })
    const keys = ['repository_id', 'activity_id', 'by']
    expect(await silentColumns(repository, 'activity_changes', `activity ${id}`, keys)).toEqual([])
    const [remove] = [`delete from activity_changes where activity_id = '${id}'`]
    expect(await logged(repository, remove)).toEqual([`activity ${id}`])
  })

  it('has what GitHub changes in a pull request, but not how far it is read', async () => {
    const { id } = await insertPullRequest(service.db, repository, new Date())
    expect(
      await silentColumns(repository, 'pull_requests', `activity ${id}`, ['repository_id', 'number', 'activity_id']),
    ).toEqual([
      ...['github_updated_at', 'marked_by_webhook', 'push_reported_sha', 'read_after', 'read_attempts', 'unread_since'],
    ])
  })

  it('has a pull request that is put aside, and one that no longer is', async () => {
    const { id } = await insertPullRequest(service.db, repository, new Date())
    const where = `where repository_id = ${repository.id}`
    const aside = `update pull_requests set activity_id = null, put_aside_by = 'bob', put_aside_head_sha = 'a1' ${where}`
    expect(await logged(repository, aside)).toEqual([`activity ${id}`])
    const back = `update pull_requests set activity_id = '${id}', put_aside_by = null, put_aside_head_sha = null ${where}`
    expect(await logged(repository, back)).toEqual([`activity ${id}`])
  })

  it('has what GitHub changes in a pushed branch, but not how far it is read', async () => {
    const { activity } = await repository.created('/activity', work)
    await service.db.query(
      `insert into pushed_branches (repository_id, branch, head_sha, pushed_at, read_after, activity_id) values ($1, 'b', 'a1', now(), now(), $2)`,
      [repository.id, activity.id],
    )
    const keys = ['repository_id', 'branch', 'activity_id']
    expect(await silentColumns(repository, 'pushed_branches', `activity ${activity.id}`, keys)).toEqual([
      'read_after',
      'read_attempts',
    ])
  })

  it('makes readers begin anew where the attributes of the repository decide that other files count', async () => {
    await service.db.query('insert into observed_repositories (repository_id) values ($1)', [repository.id])
    const change = `update observed_repositories set attributes_read_at = now(), ignored_by_attributes = '[["a", "b"]]' where repository_id = ${repository.id}`
    expect(await logged(repository, change)).toEqual(['repository '])
    expect(await logged(repository, change)).toEqual([])
  })

  it('has a deletion, and makes readers begin anew where the record was live', async () => {
    const { activity } = await repository.created('/activity', work)
    const notable = await repository.raised()
    expect(await logged(repository, `delete from notables where id = '${notable.id}'`)).toEqual([
      `notable ${notable.id}`,
      'repository ',
    ])
    await repository.post(`/activity/${activity.id}/archive`)
    const deleted = await logged(repository, `delete from activities where id = '${activity.id}'`)
    expect(deleted).toEqual([`activity ${activity.id}`])
  })

  it('has two changes of one record in one millisecond as two', async () => {
    const { id } = await repository.raised()
    const { activity } = await repository.created('/activity', work)
    for (const [table, record] of [
      ['notables', id],
      ['activities', activity.id],
    ])
      for (const title of ['b', 'c'])
        expect(await logged(repository, `update ${table} set title = '${title}' where id = '${record}'`)).toHaveLength(
          1,
        )
  })

  it('has the observed work that recorded work covers no longer, and the work that covered it before', async () => {
    const { id } = await insertPullRequest(service.db, repository, new Date())
    const [former, newest] = [
      (await repository.created('/activity', work)).activity.id,
      (await repository.created('/activity', work)).activity.id,
    ]
    const all = [`activity ${former}`, `activity ${id}`, `activity ${newest}`].sort()
    expect(await logged(repository, `update activities set branch = 'other' where id = '${newest}'`)).toEqual(all)
    expect(await logged(repository, `update pull_requests set head_ref = 'other' where number = 12`)).toEqual(all)
  })
})
