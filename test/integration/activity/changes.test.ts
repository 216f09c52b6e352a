import { describe, expect, it } from 'vitest'
import type { FileChange } from '../../../src/core/changes/file-change.ts'
import { scopeColumns } from '../../../src/core/scope/columns.ts'
import { type ActivityRow, findActivity, insertActivity } from '../../../src/service/records/activity/activities.sql.ts'
import {
  forgetChanges,
  loadChanges,
  type SavedChanges,
  saveChanges,
} from '../../../src/service/records/activity/details/changes.sql.ts'
import { indexActivity } from '../../../src/service/records/activity/details/scope-index.sql.ts'
import { activityRow } from '../../support/activity-row.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'

const start = new Date('2026-11-20T09:30:00.000Z')
const later = new Date('2026-11-20T09:31:00.000Z')
const latest = new Date('2026-11-20T09:32:00.000Z')

const db = await openTestDatabase()

const file = (path: string, change: Partial<FileChange> = {}): FileChange => ({
  ...{ path, previous_path: null, status: 'modified', lines: [[1, 5]] },
  ...change,
})

async function insert(columns: Partial<ActivityRow> = {}): Promise<ActivityRow> {
  const row = activityRow(start, columns)
  await insertActivity(db.prisma, row)
  return row
}

function save(row: ActivityRow, files: FileChange[], changes: Partial<SavedChanges> = {}): Promise<boolean> {
  const saved = { by: 'client', headSha: 'a1', files, filesTotal: files.length, readAt: later, ...changes } as const
  return db.transaction((tx) => saveChanges(tx, row, saved))
}

async function stored({ id }: ActivityRow) {
  const row = await findActivity(db, 1n, id)
  const { rows } = await db.query<{ version: string }>('select xmin::text as version from activities where id = $1', [
    id,
  ])
  return { has_changes: row?.has_changes, updated_at: row?.updated_at, version: rows[0]?.version }
}

/** The keys under which a check finds the activity, with the extents. */
async function keys({ id }: ActivityRow): Promise<string[]> {
  const { rows } = await db.query<{ kind: string; key: string; extent: number }>(
    'select kind, key, extent from scope_keys where activity_id = $1 order by kind, key collate "C"',
    [id],
  )
  return rows.map(({ kind, key, extent }) => `${kind} ${key} ${extent}`)
}

describe('saving changes', () => {
  it('keeps what GitHub and the client say side by side, and marks the activity', async () => {
    const row = await insert()
    expect(await save(row, [file('b'), file('a')])).toBe(true)
    expect(await save(row, [file('a')], { by: 'github', headSha: 'a2', filesTotal: 7 })).toBe(true)
    const [client, github] = (await loadChanges(db.prisma, 1n, [row.id])).sort((a, b) => (a.by < b.by ? -1 : 1))
    expect(client).toEqual({
      ...{ activity_id: row.id, by: 'client', head_sha: 'a1', files: [file('a'), file('b')] },
      ...{ files_total: 2, read_at: later },
    })
    expect(github).toMatchObject({ by: 'github', head_sha: 'a2', files: [file('a')], files_total: 7 })
    expect(await stored(row)).toMatchObject({ has_changes: true, updated_at: later })
  })

  it('changes no version and no updated_at where only the time of reading differs', async () => {
    const row = await insert()
    await save(row, [file('a'), file('b')])
    const before = await stored(row)
    expect(await save(row, [file('b'), file('a')], { readAt: latest })).toBe(false)
    expect(await stored(row)).toEqual(before)
    expect(await loadChanges(db.prisma, 1n, [row.id])).toMatchObject([{ read_at: latest }])
  })

  it.each([
    { what: 'other lines', files: [file('a', { lines: null })], changes: {} },
    { what: 'another head', files: [file('a')], changes: { headSha: 'a3' } },
    { what: 'another count', files: [file('a')], changes: { filesTotal: 2 } },
  ])('makes a new version for $what', async ({ files, changes }) => {
    const row = await insert()
    await save(row, [file('a')])
    const before = await stored(row)
    expect(await save(row, files, { ...changes, readAt: latest })).toBe(true)
    const after = await stored(row)
    expect(after.updated_at).toEqual(latest)
    expect(after.version).not.toBe(before.version)
  })

  it('removes one side and keeps the other', async () => {
    const row = await insert()
    await save(row, [file('a')])
    await save(row, [file('b')], { by: 'github' })
    expect(await db.transaction((tx) => forgetChanges(tx, row, 'client', latest))).toBe(true)
    expect(await stored(row)).toMatchObject({ has_changes: true, updated_at: latest })
    expect(await keys(row)).toEqual(['path b/ 0'])
    expect(await db.transaction((tx) => forgetChanges(tx, row, 'client', latest))).toBe(false)
  })

  it('removes the changes of the client once it sends none', async () => {
    const row = await insert()
    await save(row, [file('a')])
    expect(await save(row, [], { readAt: latest })).toBe(true)
    expect(await loadChanges(db.prisma, 1n, [row.id])).toEqual([])
    expect(await stored(row)).toMatchObject({ has_changes: false, updated_at: latest })
  })

  it('keeps a pull request without a changed file', async () => {
    const row = await insert({ source: 'pull_request' })
    await save(row, [], { by: 'github' })
    expect(await loadChanges(db.prisma, 1n, [row.id])).toMatchObject([{ files: [], files_total: 0 }])
  })

  it('goes with the record', async () => {
    const row = await insert()
    await save(row, [file('a')])
    await db.query('delete from activities where id = $1', [row.id])
    expect(await loadChanges(db.prisma, 1n, [row.id])).toEqual([])
  })
})

describe('the index', () => {
  it('finds an activity by its scope and by the new and old names of its files', async () => {
    const row = await insert(scopeColumns({ areas: ['Auth'], paths: ['docs/**', 'src/a.ts'] }))
    await save(row, [file('src/a.ts'), file('src/(b)/[id].ts', { status: 'renamed', previous_path: 'lib/c.ts' })])
    expect(await keys(row)).toEqual([
      'area auth 0',
      'path docs/ 1',
      'path lib/c.ts/ 0',
      'path src/(b)/[id].ts/ 0',
      'path src/a.ts/ 2',
    ])
  })

  it('keeps the changed files where the scope changes, and the scope where the files change', async () => {
    const row = await insert(scopeColumns({ areas: [], paths: ['docs/**'] }))
    await save(row, [file('a')])
    await db.transaction((tx) => indexActivity(tx, { ...row, ...scopeColumns({ areas: [], paths: ['a'] }) }))
    expect(await keys(row)).toEqual(['path a/ 1'])
    await save(row, [file('b')])
    expect(await keys(row)).toEqual(['path b/ 0', 'path docs/ 1'])
  })

  it('has directories in the place of more than 300 paths', async () => {
    const row = await insert()
    await save(
      row,
      Array.from({ length: 3000 }, (_, n) => file(`src/${n % 10}/${n}.ts`)),
    )
    const found = await keys(row)
    expect(found.length).toBeLessThanOrEqual(300)
    expect(found).toContain('path src/0/ 0')
  })

  it('leaves out the scope of observed work, which is made of its files, until somebody declares one', async () => {
    const observed = { source: 'pull_request', ...scopeColumns({ areas: [], paths: ['a', 'b'] }) }
    const row = await insert(observed)
    expect(await keys(row)).toEqual([])
    await save(row, [file('a')], { by: 'github' })
    expect(await keys(row)).toEqual(['path a/ 0'])
    await db.transaction((tx) => indexActivity(tx, { ...row, edited_fields: ['scope'] }))
    expect(await keys(row)).toEqual(['path a/ 1', 'path b/ 1'])
  })

  it('takes every name that git allows', async () => {
    const odd = ['a\\b', 'a\nb', '!x', '{a,b}', '[x', 'é…', `${'x'.repeat(900)}/${'y'.repeat(900)}`, ' ']
    const row = await insert()
    await save(
      row,
      odd.map((path) => file(path)),
    )
    expect((await keys(row)).length).toBeGreaterThan(odd.length - 3)
    const [changes] = await loadChanges(db.prisma, 1n, [row.id])
    expect(changes?.files.map(({ path }) => path).sort()).toEqual([...odd].sort())
  })
})
